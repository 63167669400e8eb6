import type { ScoringDimension } from '@switchyard/events'

/** What of a payment its dimension is made of. */
export interface DimensionedPayment {
  readonly paymentType: string
  readonly paymentMethodType: string
  readonly paymentMethod: string
}

/**
 * The dimension whose success-rate windows a payment reads and feeds (decide.md 5.1): one slot a field. The type of the
 * method counts in upper case, the method as sent. Without a dimension config no extra field takes part.
 */
export const dimensionOf = ({ paymentType, paymentMethodType, paymentMethod }: DimensionedPayment): ScoringDimension => ({
  paymentType,
  paymentMethodType: paymentMethodType.toUpperCase(),
  paymentMethod,
  cardNetwork: null,
  cardIsIn: null,
  currency: null,
  country: null,
  authType: null,
  udfs: [],
})

/** One slot of a key: its length in front of it, so that neighbours can't run into each other. */
export const keySlot = (text: string | null): string => (text === null ? '-' : `${text.length}:${text}`)

/** The map key of a gateway's window in a dimension, given by the dimension's key. */
export const windowKey = (dimension: string, gateway: string): string => dimension + keySlot(gateway)

/** A map key of a dimension: two dimensions have the same key only when they are equal. */
export const dimensionKey = (dimension: ScoringDimension): string => {
  const { paymentType, paymentMethodType, paymentMethod, cardNetwork, cardIsIn, currency, country, authType, udfs } = dimension
  const key =
    keySlot(paymentType) +
    keySlot(paymentMethodType) +
    keySlot(paymentMethod) +
    keySlot(cardNetwork) +
    keySlot(cardIsIn) +
    keySlot(currency) +
    keySlot(country) +
    keySlot(authType)
  return udfs.length === 0 ? `${key}0;` : `${key}${udfs.length};${udfs.map(keySlot).join('')}`
}
