import type { Fee } from '../fit/fitted-cluster.ts'
import type { ClusterOverride } from './cost-model.ts'
import type { ModelNames, NumberedPayment } from './model-names.ts'
import { ANY, NOT_FOUND, TupleIndex, UNKNOWN } from './tuple-index.ts'

const WIDTH = 7
const VARIANT = 2
const CATEGORY = 6

interface Relaxed {
  readonly key: readonly number[]
  readonly fees: Fee[]
}

const isSame = (one: Fee, other: Fee): boolean => one.pctBps === other.pctBps && one.fixed === other.fixed

const relaxations = (key: readonly number[]): readonly (readonly number[])[] =>
  [[VARIANT], [CATEGORY], [VARIANT, CATEGORY]].map((parts) => key.map((part, index) => (parts.includes(index) ? ANY : part)))

/**
 * Fees that were set for clusters. What is not known of a payment before it settles need not match, as long as all overrides
 * that remain say the same: an override is never guessed (cost.md 12, 20.5).
 */
export class OverrideIndex {
  readonly #fees: Fee[] = []
  readonly #index: TupleIndex
  readonly #scratch: number[] = new Array(WIDTH).fill(ANY)
  readonly isEmpty: boolean

  constructor(names: ModelNames, overrides: readonly ClusterOverride[]) {
    this.isEmpty = overrides.length === 0
    const relaxed = new Map<string, Relaxed>()
    const exact = overrides.map(({ key, fee }) => {
      const parts = names.addCluster(key)
      for (const wider of relaxations(parts)) {
        const known = relaxed.get(wider.join()) ?? { key: wider, fees: [] }
        known.fees.push(fee)
        relaxed.set(wider.join(), known)
      }
      return [parts, this.#fees.push(fee) - 1] as const
    })
    const agreed = [...relaxed.values()].flatMap(({ key, fees }) => {
      const [first] = fees
      return first && fees.every((fee) => isSame(fee, first)) ? [[key, this.#fees.push(first) - 1] as const] : []
    })
    this.#index = new TupleIndex(WIDTH, [...exact, ...agreed])
  }

  /** The override of exactly this cluster. */
  exact(connector: number, payment: NumberedPayment, category: number): Fee | undefined {
    return this.#at(connector, payment, payment.variant, category)
  }

  /** The override of clusters that differ from the payment's in what is not known of it. */
  relaxed(connector: number, payment: NumberedPayment, category: number): Fee | undefined {
    if (category !== UNKNOWN) return this.#at(connector, payment, ANY, category)
    return this.#at(connector, payment, payment.variant, ANY) ?? this.#at(connector, payment, ANY, ANY)
  }

  #at(connector: number, { network, funding, issuer, currency }: NumberedPayment, variant: number, category: number): Fee | undefined {
    const key = this.#scratch
    key[0] = connector
    key[1] = network
    key[VARIANT] = variant
    key[3] = funding
    key[4] = issuer
    key[5] = currency
    key[CATEGORY] = category
    const place = this.#index.get(key)
    return place === NOT_FOUND ? undefined : this.#fees[place]
  }
}
