import type { FitCluster } from '../statistics/fit-cluster.ts'

/** Keeps each text once: what comes from another thread brings a copy of every text with every message. */
export class KeptTexts {
  readonly #kept: Map<string, string> = new Map()

  /** The same text, as it came first. */
  of(text: string): string {
    const known = this.#kept.get(text)
    if (known !== undefined) return known
    this.#kept.set(text, text)
    return text
  }

  /** The same cluster of kept texts. */
  ofCluster(cluster: FitCluster): FitCluster {
    const { cardNetwork, variant, funding, issuerCountry, currency, interchangeCategory, cardProduct } = cluster
    return {
      cardNetwork: this.of(cardNetwork),
      variant: this.of(variant),
      funding,
      issuerCountry: this.of(issuerCountry),
      currency: this.of(currency),
      interchangeCategory: this.of(interchangeCategory),
      cardProduct: this.of(cardProduct),
    }
  }
}
