import { ANY } from '../tuple-index.ts'
import { CLUSTER_WIDTH, type ModelledClusters } from './modelled-clusters.ts'
import type { NumberedClusters } from './numbered-fit.ts'
import { raise } from './price-curve.ts'
import { type CurvesByKey, Prices } from './prices.ts'

/** Places in the key of a cluster. */
const [NETWORK, FUNDING, CURRENCY] = [1, 3, 5] as const
export const VARIANT = 2
export const PRODUCT = 7
/** Connector, network, funding, currency and region. */
export const REGION_WIDTH = 5

/** Prices of clusters and regions while clusters are gone through. */
class ClusterPrices {
  readonly #of: ModelledClusters
  /** Of clusters, and behind them the blends over card products and over variants. */
  readonly #prices: Prices
  readonly #regions: Prices
  readonly #key: number[] = new Array(CLUSTER_WIDTH).fill(ANY)
  readonly #regionKey: number[] = new Array(REGION_WIDTH).fill(ANY)

  constructor(of: ModelledClusters) {
    this.#of = of
    this.#prices = new Prices(CLUSTER_WIDTH, 3 * of.count)
    this.#regions = new Prices(REGION_WIDTH, of.count)
  }

  add(cluster: number, clusters: NumberedClusters, place: number): void {
    this.#of.putKey(this.#key, cluster)
    const [pctAddition = 0, fixedAddition = 0] = [this.#of.pctAdditions[cluster], this.#of.fixedAdditions[cluster]]
    const gross = clusters.grossOf(place)
    const at = this.#prices.keys.add(this.#key)
    const curve = clusters.curveOf(place)
    if (curve !== undefined) {
      this.#prices.addLadder(at, { curve: raise(curve, { pctBps: pctAddition, fixed: fixedAddition }), weight: gross })
      return
    }
    const pctBps = clusters.pctBpsOf(place) + pctAddition
    const fixed = clusters.fixedOf(place) + fixedAddition
    this.#prices.addLine(at, pctBps, fixed, gross)
    this.#regions.addLine(this.#regionAt(cluster), pctBps, fixed, gross)
  }

  finish(): { readonly clusters: CurvesByKey; readonly regions: CurvesByKey } {
    const prices = this.#prices
    const exactCount = prices.keys.count
    const key = this.#key
    for (let place = 0; place < exactCount; place++) {
      prices.keys.putKey(key, place)
      key[PRODUCT] = ANY
      prices.addMembers(prices.keys.add(key), place)
      key[VARIANT] = ANY
      prices.addMembers(prices.keys.add(key), place)
    }
    return { clusters: prices.finish(exactCount), regions: this.#regions.finish(0) }
  }

  /** Place of the region of the cluster at hand. */
  #regionAt(cluster: number): number {
    const regionKey = this.#regionKey
    regionKey[0] = this.#key[0] ?? ANY
    regionKey[1] = this.#key[NETWORK] ?? ANY
    regionKey[2] = this.#key[FUNDING] ?? ANY
    regionKey[3] = this.#key[CURRENCY] ?? ANY
    regionKey[4] = this.#of.regions[cluster] ?? ANY
    return this.#regions.keys.add(regionKey)
  }
}

/** All learned costs of a model: clusters by account, invoices added, blends made in advance (cost.md 14, rungs 3 to 6). */
export const compileClusters = (of: ModelledClusters): { readonly clusters: CurvesByKey; readonly regions: CurvesByKey } => {
  const prices = new ClusterPrices(of)
  for (const [first, clusters] of of.parts)
    for (let place = 0; place < clusters.count; place++)
      if (clusters.pricingOf(place) !== 'none') prices.add(first + place, clusters, place)
  return prices.finish()
}
