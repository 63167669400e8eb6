import type { Fee } from '../fit/fitted-cluster.ts'
import type { Channel } from '../reports/canonical-row.ts'
import type { Band } from '../statistics/band.ts'
import { PRODUCT_BIN_DIGITS } from '../statistics/bin-rates.ts'
import { ANY, NOT_FOUND, placeOf, UNKNOWN } from '../tuple-index.ts'
import { PRODUCT, REGION_WIDTH, VARIANT } from './compile-clusters.ts'
import { feeOnCurve } from './curves.ts'
import type { LearnedCosts } from './learned-costs.ts'
import { LEVELS, LIKENESS_WIDTH, putLikeness } from './likenesses.ts'
import { ModelNames, type NumberedPayment } from './model-names.ts'
import { CLUSTER_WIDTH } from './modelled-clusters.ts'
import { seenAs } from './numbered-fit.ts'
import type { CurvesByKey } from './prices.ts'

/** How exactly a learned cost fits a payment. */
export type LearnedRung = 'exact' | 'products' | 'variants' | 'region'

/** A learned cost. */
export interface LearnedFee {
  readonly fee: Fee
  readonly rung: LearnedRung
  /** Told by a cluster without an issuer although the payment has one. */
  readonly isWithoutIssuer: boolean
}

/** Looks learned costs up. Lookups share scratch space: an index belongs to one thread. */
export class LearnedIndex {
  readonly names: ModelNames
  readonly #costs: LearnedCosts
  readonly #blankCategory: number
  readonly #blankProduct: number
  readonly #key: number[] = new Array(CLUSTER_WIDTH).fill(ANY)
  readonly #regionKey: number[] = new Array(REGION_WIDTH).fill(ANY)
  readonly #likenessKey: number[] = new Array(LIKENESS_WIDTH).fill(ANY)
  readonly #guessKey: number[] = [0, 0]
  readonly #binKey: number[] = [0]
  /** What is looked for now has no issuer, the payment has one. */
  #isWithoutIssuer = false

  constructor(costs: LearnedCosts) {
    this.#costs = costs
    this.names = new ModelNames(costs.texts)
    this.#blankCategory = this.names.categories.of('')
    this.#blankProduct = this.names.products.of('')
  }

  /** The card product of a card, by its first digits; that of none when it is not known. */
  productOf(bin: string): number {
    if (bin.length < PRODUCT_BIN_DIGITS) return this.#blankProduct
    this.#binKey[0] = Number(bin.slice(0, PRODUCT_BIN_DIGITS))
    const place = placeOf(this.#costs.bins, this.#binKey)
    return place === NOT_FOUND ? this.#blankProduct : (this.#costs.productOfBin[place] ?? this.#blankProduct)
  }

  /** The category that payments like this one mostly had, of the most exact likeness that there is; {@link UNKNOWN} without one. */
  guess(connector: number, payment: NumberedPayment, channel: Channel, band: Band): number {
    const { likenesses, keys, categories } = this.#costs.guesses
    const likenessKey = this.#likenessKey
    const guessKey = this.#guessKey
    const seen = seenAs(channel, band)
    let likeness = ''
    let likenessPlace = NOT_FOUND
    likenessKey[0] = connector
    likenessKey[1] = payment.network
    for (const level of LEVELS) {
      if (level.likeness !== likeness) {
        likeness = level.likeness
        putLikeness(likenessKey, level.likeness, payment)
        likenessPlace = placeOf(likenesses, likenessKey)
      }
      if (likenessPlace === NOT_FOUND) continue
      guessKey[0] = likenessPlace
      guessKey[1] = seen & level.keeps
      const place = placeOf(keys, guessKey)
      const category = place === NOT_FOUND ? UNKNOWN : (categories[place] ?? UNKNOWN)
      if (category !== UNKNOWN) return category
    }
    return UNKNOWN
  }

  /**
   * What an amount costs by the payment's own cluster, or by those that differ in what is not known of it; undefined without one. A
   * connector whose reports name no category has its clusters under the blank one.
   */
  find(connector: number, payment: NumberedPayment, category: number, amount: number): LearnedFee | undefined {
    const key = this.#key
    key[0] = connector
    key[1] = payment.network
    key[3] = payment.funding
    key[4] = payment.issuer
    key[5] = payment.currency
    key[6] = category === UNKNOWN ? this.#blankCategory : category
    return this.#findCluster(payment, amount) ?? this.#findWithoutIssuer(payment, amount) ?? this.#findRegion(connector, payment, amount)
  }

  #findWithoutIssuer(payment: NumberedPayment, amount: number): LearnedFee | undefined {
    const { issuer, blankIssuer } = payment
    if (issuer === blankIssuer) return undefined
    this.#key[4] = blankIssuer
    this.#isWithoutIssuer = true
    const found = this.#findCluster(payment, amount)
    this.#isWithoutIssuer = false
    return found
  }

  #findCluster({ variant, product }: NumberedPayment, amount: number): LearnedFee | undefined {
    const key = this.#key
    const { clusters } = this.#costs
    key[VARIANT] = variant
    key[PRODUCT] = product
    const exact = this.#at(clusters, key, amount, 'exact')
    if (exact) return exact
    key[PRODUCT] = ANY
    const products = this.#at(clusters, key, amount, 'products')
    if (products) return products
    key[VARIANT] = ANY
    return this.#at(clusters, key, amount, 'variants')
  }

  #findRegion(
    connector: number,
    { network, funding, currency, region, blankRegion }: NumberedPayment,
    amount: number,
  ): LearnedFee | undefined {
    const key = this.#regionKey
    const { regions } = this.#costs
    key[0] = connector
    key[1] = network
    key[2] = funding
    key[3] = currency
    key[4] = region
    const found = this.#at(regions, key, amount, 'region')
    if (found) return found
    key[4] = blankRegion
    return this.#at(regions, key, amount, 'region')
  }

  #at({ keys, curves }: CurvesByKey, key: readonly number[], amount: number, rung: LearnedRung): LearnedFee | undefined {
    const place = placeOf(keys, key)
    return place === NOT_FOUND ? undefined : { fee: feeOnCurve(curves, place, amount), rung, isWithoutIssuer: this.#isWithoutIssuer }
  }
}
