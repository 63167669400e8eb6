import type { ScoringDimension } from '@switchyard/events'
import type { ChosenDimensions } from '../scoring-settings/scoring-dimensions.ts'
import { RecentKinds } from './recent-kinds.ts'

/** What of a payment its dimension is made of; attributes are as sent, null when absent. */
export interface DimensionedPayment {
  readonly paymentType: string
  readonly paymentMethodType: string
  readonly paymentMethod: string
  readonly cardNetwork: string | null
  readonly cardIsIn: string | null
  readonly currency: string
  readonly country: string | null
  readonly authType: string | null
  /** Values of user-defined fields by position; null where the payment has none. */
  readonly udfs: readonly (string | null)[] | null
}

const CARD = 'CARD'
const NO_UDFS: readonly (string | null)[] = []

/** For cards only two ways of authentication matter, everything else counts as one (decide.md 5.1). */
const CARD_AUTH_TYPES: ReadonlyMap<string | null, string> = new Map([
  ['THREE_DS', 'THREE_DS'],
  ['THREE_DS_2', 'THREE_DS'],
  ['OTP', 'OTP'],
])

const authTypeOf = ({ paymentMethodType, authType }: DimensionedPayment): string | null =>
  paymentMethodType === CARD ? (CARD_AUTH_TYPES.get(authType) ?? 'UNKNOWN') : authType

type PlainPayment = Pick<DimensionedPayment, 'paymentType' | 'paymentMethodType' | 'paymentMethod'>

const newPlainDimension = ({ paymentType, paymentMethodType, paymentMethod }: PlainPayment): ScoringDimension => ({
  paymentType,
  paymentMethodType: paymentMethodType.toUpperCase(),
  paymentMethod,
  cardNetwork: null,
  cardIsIn: null,
  currency: null,
  country: null,
  authType: null,
  udfs: NO_UDFS,
  version: 0,
})

/** A plain dimension, and what it was made of. */
interface PlainDimension {
  readonly kind: PlainPayment
  readonly dimension: ScoringDimension
}

const hasSamePlain = (a: PlainPayment, b: PlainPayment): boolean =>
  a.paymentMethod === b.paymentMethod && a.paymentMethodType === b.paymentMethodType && a.paymentType === b.paymentType

/** Equal ones are one object: it is compared at once wherever it comes to, and lives on in events that wait for the log. */
const recentPlain = new RecentKinds<PlainPayment, PlainDimension>(hasSamePlain, ({ paymentType, paymentMethodType, paymentMethod }) => {
  const kind = { paymentType, paymentMethodType, paymentMethod }
  return { kind, dimension: newPlainDimension(kind) }
})

/**
 * The dimension whose success-rate windows a payment reads and feeds (decide.md 5.1): one slot a field, null for what the
 * payment lacks. The type of the method counts in upper case, the method as sent; other fields take part when the merchant
 * has chosen them. The number of the choice is part of it: what was learned under another choice says something else.
 */
export const dimensionOf = (payment: DimensionedPayment, chosen: ChosenDimensions | null): ScoringDimension => {
  const plain = recentPlain.of(payment).dimension
  if (chosen === null) return plain
  const fields = new Set(chosen.fields)
  const taken = (field: string, value: string | null): string | null => (fields.has(field) ? value : null)
  return {
    ...plain,
    cardNetwork: taken('card_network', payment.cardNetwork),
    cardIsIn: taken('card_is_in', payment.cardIsIn),
    currency: taken('currency', payment.currency),
    country: taken('country', payment.country),
    authType: taken('auth_type', authTypeOf(payment)),
    udfs: chosen.udfs.map((position) => payment.udfs?.[position] ?? null),
    version: chosen.version,
  }
}

/** One slot of a key: its length in front of it, so that neighbours can't run into each other. */
export const keySlot = (text: string | null): string => (text === null ? '-' : `${text.length}:${text}`)

/** The map key of a gateway's window in a dimension, given by the dimension's key. */
export const windowKey = (dimension: string, gateway: string): string => dimension + keySlot(gateway)

/**
 * The same key as one piece of text: putting texts together leaves a tree of pieces, which for a key that is kept takes
 * twice the memory. Reading what was printed is the one way that gives a new text for every content.
 */
export const compactKey = (key: string): string => String(JSON.parse(JSON.stringify(key)))

/** A map key of a dimension: two dimensions have the same key only when they are equal. */
export const dimensionKey = (dimension: ScoringDimension): string => {
  const { paymentType, paymentMethodType, paymentMethod, cardNetwork, cardIsIn, currency, country, authType, udfs, version } = dimension
  const key =
    keySlot(paymentType) +
    keySlot(paymentMethodType) +
    keySlot(paymentMethod) +
    keySlot(cardNetwork) +
    keySlot(cardIsIn) +
    keySlot(currency) +
    keySlot(country) +
    keySlot(authType)
  if (version === 0 && udfs.length === 0) return `${key}0;`
  return `${key}${version}.${udfs.length};${udfs.map(keySlot).join('')}`
}

/** Whether two lists say the same. */
export const isSameList = (a: readonly (string | null)[], b: readonly (string | null)[]): boolean => {
  if (a === b) return true
  if (a.length !== b.length) return false
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false
  return true
}

const hasSameSlots = (a: ScoringDimension, b: ScoringDimension): boolean =>
  a.paymentMethod === b.paymentMethod &&
  a.paymentMethodType === b.paymentMethodType &&
  a.paymentType === b.paymentType &&
  a.cardNetwork === b.cardNetwork &&
  a.cardIsIn === b.cardIsIn &&
  a.currency === b.currency &&
  a.country === b.country &&
  a.authType === b.authType &&
  a.version === b.version &&
  isSameList(a.udfs, b.udfs)

/** Whether two dimensions have the same key: at once where they are one object, as those of events that were read mostly are. */
export const isSameDimension = (a: ScoringDimension, b: ScoringDimension): boolean => a === b || hasSameSlots(a, b)
