import type { SubLevelSettings } from '@switchyard/events'
import { beginningOf } from '@switchyard/kernel'

/** Digits of a card number that are kept: enough to name the issuer, not the card. */
const CARD_ISIN_LENGTH_MAX = 8

/** The first digits of a card number as decisions keep them: the same before and after they were written, as scores are told apart by them. */
export const keptCardIsin = (digits: string | null | undefined): string | null =>
  typeof digits === 'string' ? beginningOf(digits, CARD_ISIN_LENGTH_MAX) : null

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
  cardIsIn: keptCardIsin(unlessEmpty(row.cardIsIn)),
  currency: unlessEmpty(row.currency),
  country: unlessEmpty(row.country),
  authType: unlessEmpty(keptAuthType(row.authType)),
})
