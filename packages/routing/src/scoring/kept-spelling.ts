import type { SubLevelSettings } from '@switchyard/events'

/** Digits of a card number that are kept: enough to name the issuer, not the card. */
export const CARD_ISIN_LENGTH_MAX = 8

/** A way of authentication as decisions keep it: 3-D Secure 2 has two spellings. */
export const keptAuthType = <Sent extends string | null | undefined>(sent: Sent): Sent | 'THREE_DS_2' =>
  sent === 'THREE_DS2' ? 'THREE_DS_2' : sent

/** A dimension that is left empty, as a form sends it, is not set (analytics.md 7.5). */
const unlessEmpty = (text: string | null): string | null => (text === '' ? null : text)

/** The row as decisions keep payments, so that it finds those that were sent as it is written. */
export const inKeptSpelling = (row: SubLevelSettings): SubLevelSettings => ({
  ...row,
  paymentMethod: unlessEmpty(row.paymentMethod),
  cardNetwork: unlessEmpty(row.cardNetwork),
  cardIsIn: unlessEmpty(row.cardIsIn)?.slice(0, CARD_ISIN_LENGTH_MAX) ?? null,
  currency: unlessEmpty(row.currency),
  country: unlessEmpty(row.country),
  authType: unlessEmpty(keptAuthType(row.authType)),
})
