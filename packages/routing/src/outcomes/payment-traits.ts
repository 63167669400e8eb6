import type { GatewayDecided } from '@switchyard/events'
import { dimensionKey, keySlot } from '../scoring/dimension.ts'
import { BUCKET_SIZE_MAX } from '../scoring-settings/setting-ranges.ts'

/** What many decisions have in common: kept once, so that an open decision is a few words. */
export interface PaymentTraits {
  /** Two traits have the same key only when they are equal. */
  readonly key: string
  readonly paymentMethodType: string
  readonly paymentMethod: string
  readonly cardNetwork: string | null
  readonly currency: string
  readonly country: string | null
  readonly authType: string | null
  /** Map key of the dimension whose windows are fed. */
  readonly dimensionKey: string
  readonly candidates: readonly string[]
  readonly bucketSize: number
  readonly latencyThresholdMs: number
  /** Null for no limit: a recurring payment. */
  readonly outcomeWindowMs: number | null
}

/** {@link PaymentTraits} without their key. */
export type TraitFields = Omit<PaymentTraits, 'key'>

/** The traits with their key. */
export const withTraitsKey = (fields: TraitFields): PaymentTraits => {
  const { paymentMethodType, paymentMethod, cardNetwork, currency, country, authType, candidates } = fields
  let key = `${fields.bucketSize};${fields.latencyThresholdMs};${fields.outcomeWindowMs};${candidates.length};`
  for (const candidate of candidates) key += keySlot(candidate)
  key += keySlot(paymentMethodType) + keySlot(paymentMethod) + keySlot(cardNetwork)
  key += keySlot(currency) + keySlot(country) + keySlot(authType) + keySlot(fields.dimensionKey)
  return { key, ...fields }
}

/** The traits of a decision. */
export const traitsOf = (decision: GatewayDecided['data']): PaymentTraits =>
  withTraitsKey({
    paymentMethodType: decision.paymentMethodType,
    paymentMethod: decision.paymentMethod,
    cardNetwork: decision.cardNetwork,
    currency: decision.currency,
    country: decision.country,
    authType: decision.authType,
    dimensionKey: dimensionKey(decision.dimension),
    candidates: decision.candidates,
    bucketSize: Math.max(1, Math.min(BUCKET_SIZE_MAX, decision.knobs.bucketSize)), // a recorded fact is never refused
    latencyThresholdMs: decision.knobs.latencyThresholdMs,
    outcomeWindowMs: decision.knobs.outcomeWindowMs,
  })

/** Keeps equal traits once. Starts afresh when full: what is in use lives on, and no answer depends on it. */
export class SharedTraits {
  readonly #traits: Map<string, PaymentTraits> = new Map()
  readonly #countMax: number

  constructor(countMax: number) {
    this.#countMax = countMax
  }

  share(traits: PaymentTraits): PaymentTraits {
    const known = this.#traits.get(traits.key)
    if (known !== undefined) return known
    if (this.#traits.size >= this.#countMax) this.#traits.clear()
    this.#traits.set(traits.key, traits)
    return traits
  }
}
