import { compactTraits, type PaymentTraits } from './payment-traits.ts'

/** Traits, and how many open decisions have them. */
interface Use {
  readonly traits: PaymentTraits
  count: number
}

/** The long traits of a merchant's open decisions: equal ones are there once, and their characters are known. */
export class LongTraits {
  /** By key. */
  readonly #uses: Map<string, Use> = new Map()
  #length = 0

  /** Characters of their keys together. */
  get length(): number {
    return this.#length
  }

  /** Those that stand for these in a decision that is opened. */
  use(traits: PaymentTraits): PaymentTraits {
    const known = this.#uses.get(traits.key)
    if (known !== undefined) {
      known.count += 1
      return known.traits
    }
    const added = compactTraits(traits)
    this.#uses.set(added.key, { traits: added, count: 1 })
    this.#length += added.key.length
    return added
  }

  /** A decision that had them is open no more. */
  release(traits: PaymentTraits): void {
    const use = this.#uses.get(traits.key)
    if (use === undefined) return
    use.count -= 1
    if (use.count > 0) return
    this.#uses.delete(traits.key)
    this.#length -= traits.key.length
  }
}
