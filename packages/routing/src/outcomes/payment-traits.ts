import { type GatewayDecidedPart, isBySuccessRate } from '@switchyard/events'
import type { HealthKnobs } from '../elimination/gateway-health.ts'
import { healthGroupKey } from '../elimination/merchant-health.ts'
import { dimensionKey, isSameDimension, isSameList, keySlot, windowKey } from '../scoring/dimension.ts'
import { RecentKinds } from '../scoring/recent-kinds.ts'
import { BUCKET_SIZE_MAX } from '../scoring-settings/setting-ranges.ts'
import { Interned } from './interned.ts'

type Decision = GatewayDecidedPart['data']

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
  /** Map key of the payments that share the health of their gateways. */
  readonly healthGroup: string
  readonly bucketSize: number
  readonly latencyThresholdMs: number
  /** Null for no limit: a recurring payment. */
  readonly outcomeWindowMs: number | null
  /** Whether a proven change of a rate cuts the window. */
  readonly adaptive: boolean
  /** Null when the decision knew no elimination: its outcomes say nothing of the gateways' health. */
  readonly elimination: HealthKnobs | null
  /** Whether success rates chose between the candidates. */
  readonly bySuccessRate: boolean
  /** What {@link windowKeysOf} and {@link healthKeysOf} have made. */
  windowKeys: readonly string[] | undefined
  healthKeys: readonly string[] | undefined
}

/**
 * Characters of the key of short traits, as nearly all are: each payment may have its own. Long ones come of many gateways, or of fields of
 * their own that merchants fill and let take part.
 */
export const SHORT_TRAITS_LENGTH_MAX = 512

/** Long traits repeat nothing for each gateway, are kept by merchant, and bounded by what they take (`openTraitsLengthMax`). */
export const isLong = ({ key }: PaymentTraits): boolean => key.length > SHORT_TRAITS_LENGTH_MAX

/** {@link PaymentTraits} without what follows from the rest. */
type TraitFields = Omit<PaymentTraits, 'key' | 'windowKeys' | 'healthKeys'>

const ELIMINATION_NUMBERS = [
  'threshold',
  'latencyLimitMs',
  'halfLifeMs',
  'sampleCount',
  'failureRunCount',
  'recoveryRunCount',
  'ageMsMax',
] as const

const eliminationKey = (knobs: HealthKnobs | null): string =>
  knobs === null ? '-;' : `${ELIMINATION_NUMBERS.map((name) => knobs[name]).join(',')};`

/** The traits with their keys. */
export const withTraitKeys = (fields: TraitFields): PaymentTraits => {
  const { paymentMethodType, paymentMethod, cardNetwork, currency, country, authType, candidates } = fields
  let key = `${fields.bucketSize};${fields.latencyThresholdMs};${fields.outcomeWindowMs};${fields.adaptive};${fields.bySuccessRate};${candidates.length};`
  key += eliminationKey(fields.elimination)
  for (const candidate of candidates) key += keySlot(candidate)
  key += keySlot(paymentMethodType) + keySlot(paymentMethod) + keySlot(cardNetwork)
  key += keySlot(currency) + keySlot(country) + keySlot(authType) + keySlot(fields.dimensionKey) + keySlot(fields.healthGroup)
  return { ...fields, key, windowKeys: undefined, healthKeys: undefined }
}

const keysUnder = (prefix: string, { candidates }: PaymentTraits): readonly string[] =>
  candidates.map((candidate) => windowKey(prefix, candidate))

/** Map key of each candidate's window: made when they are asked for, and kept unless the traits are long. */
export const windowKeysOf = (traits: PaymentTraits): readonly string[] => {
  if (traits.windowKeys !== undefined) return traits.windowKeys
  const keys = keysUnder(traits.dimensionKey, traits)
  if (!isLong(traits)) traits.windowKeys = keys
  return keys
}

/** Map key of each candidate's health, in the same way. */
export const healthKeysOf = (traits: PaymentTraits): readonly string[] => {
  if (traits.healthKeys !== undefined) return traits.healthKeys
  const keys = keysUnder(traits.healthGroup, traits)
  if (!isLong(traits)) traits.healthKeys = keys
  return keys
}

const ANYTHING = /^/

/** The same traits to be kept: looking into a text makes it one piece, and what it was put together from goes. */
export const compactTraits = (traits: PaymentTraits): PaymentTraits => {
  for (const text of [traits.dimensionKey, traits.healthGroup, traits.key]) ANYTHING.test(text)
  return traits
}

/** The traits of a decision. */
const traitsOf = (decision: Decision): PaymentTraits =>
  withTraitKeys({
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
    adaptive: decision.knobs.adaptive,
    healthGroup: healthGroupKey(decision),
    elimination: decision.elimination,
    bySuccessRate: isBySuccessRate(decision),
  })

const hasSameKnobs = ({ knobs: a }: Decision, { knobs: b }: Decision): boolean =>
  a === b ||
  (a.bucketSize === b.bucketSize &&
    a.latencyThresholdMs === b.latencyThresholdMs &&
    a.outcomeWindowMs === b.outcomeWindowMs &&
    a.adaptive === b.adaptive)

const isSameElimination = (a: HealthKnobs | null, b: HealthKnobs | null): boolean =>
  a === b || (a !== null && b !== null && ELIMINATION_NUMBERS.every((name) => a[name] === b[name]))

const isSamePayment = (a: Decision, b: Decision): boolean =>
  a.paymentMethod === b.paymentMethod &&
  a.cardNetwork === b.cardNetwork &&
  a.country === b.country &&
  a.currency === b.currency &&
  a.authType === b.authType &&
  a.paymentMethodType === b.paymentMethodType &&
  a.cardType === b.cardType

/** Whether two decisions have the same traits; what tells most payments apart comes first. */
const isAlike = (a: Decision, b: Decision): boolean =>
  isSamePayment(a, b) &&
  hasSameKnobs(a, b) &&
  isSameElimination(a.elimination, b.elimination) &&
  isBySuccessRate(a) === isBySuccessRate(b) &&
  isSameList(a.candidates, b.candidates) &&
  isSameDimension(a.dimension, b.dimension)

/** The traits of decisions like one. */
export interface KnownTraits {
  readonly kind: Decision
  readonly traits: PaymentTraits
}

/** Traits of all merchants: equal ones are kept once, unless they are long. */
export class SharedTraits {
  readonly #traits: Interned<PaymentTraits>
  readonly #known: Interned<KnownTraits>

  constructor(countMax: number) {
    this.#traits = new Interned(countMax)
    this.#known = new Interned(countMax)
  }

  /** Those that are kept of equal ones. */
  kept(traits: PaymentTraits): PaymentTraits {
    return isLong(traits) ? traits : this.#traits.of(traits.key, () => compactTraits(traits))
  }

  /** The traits of the decision, for those alike that follow it. */
  recentOnes(): RecentKinds<Decision, KnownTraits> {
    return new RecentKinds(isAlike, this.#find)
  }

  readonly #find = (decision: Decision): KnownTraits => {
    const traits = this.kept(traitsOf(decision))
    if (isLong(traits)) return { kind: decision, traits }
    // Says all that tells decisions apart, else one that stands for another one would never be recognised.
    const text = `${traits.key}${keySlot(decision.cardType)}${decision.knobs.bucketSize}`
    return this.#known.of(text, () => ({ kind: decision, traits }))
  }
}
