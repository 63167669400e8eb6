import type { Fee } from '../fit/fitted-cluster.ts'
import { ANY, NOT_FOUND, placeOf, TupleBuilder, type TupleTable, UNKNOWN } from '../tuple-index.ts'
import type { ClusterOverride } from './cost-model.ts'
import { ModelNames, type NumberedPayment } from './model-names.ts'

const WIDTH = 7
const VARIANT = 2
const CATEGORY = 6
const RELAXATIONS: readonly (readonly number[])[] = [[VARIANT], [CATEGORY], [VARIANT, CATEGORY]]

const isSame = (one: Fee, other: Fee): boolean => one.pctBps === other.pctBps && one.fixed === other.fixed

/**
 * Fees that were set for clusters, with numbers of their own. What is not known of a payment before it settles need not match, as
 * long as all overrides that remain say the same: an override is never guessed (cost.md 12, 20.5).
 */
export class OverrideIndex {
  readonly names: ModelNames = new ModelNames()
  /** By place; undefined where the overrides that remain differ. */
  readonly #fees: (Fee | undefined)[] = []
  readonly #table: TupleTable
  readonly #scratch: number[] = new Array(WIDTH).fill(ANY)
  readonly isEmpty: boolean

  constructor(overrides: readonly ClusterOverride[]) {
    this.isEmpty = overrides.length === 0
    const builder = new TupleBuilder(WIDTH)
    const key = this.#scratch
    for (const { key: cluster, fee } of overrides) {
      this.names.putCluster(key, cluster)
      this.#fees[builder.add(key)] = fee
      for (const relaxation of RELAXATIONS) {
        this.names.putCluster(key, cluster)
        for (const part of relaxation) key[part] = ANY
        const before = builder.count
        const place = builder.add(key)
        const known = this.#fees[place]
        if (place === before) this.#fees[place] = fee
        else if (known !== undefined && !isSame(known, fee)) this.#fees[place] = undefined
      }
    }
    this.#table = builder.finish()
  }

  /** The override of exactly the payment's cluster of this issuer. */
  exact(connector: number, payment: NumberedPayment, issuer: number, category: number): Fee | undefined {
    this.#ask(connector, payment, issuer)
    return this.#at(payment.variant, category)
  }

  /** The override of clusters of this issuer that differ from the payment's in what is not known of it. */
  relaxed(connector: number, payment: NumberedPayment, issuer: number, category: number): Fee | undefined {
    this.#ask(connector, payment, issuer)
    if (category !== UNKNOWN) return this.#at(ANY, category)
    return this.#at(payment.variant, ANY) ?? this.#at(ANY, ANY)
  }

  #ask(connector: number, { network, funding, currency }: NumberedPayment, issuer: number): void {
    const key = this.#scratch
    key[0] = connector
    key[1] = network
    key[3] = funding
    key[4] = issuer
    key[5] = currency
  }

  #at(variant: number, category: number): Fee | undefined {
    const key = this.#scratch
    key[VARIANT] = variant
    key[CATEGORY] = category
    const place = placeOf(this.#table, key)
    return place === NOT_FOUND ? undefined : this.#fees[place]
  }
}
