import type { SubLevelSettings } from '@switchyard/events'

/** Digits of a card number that are kept: enough to name the issuer, not the card. */
export const CARD_ISIN_LENGTH_MAX = 8

/** A way of authentication as decisions keep it: 3-D Secure 2 has two spellings. */
export const keptAuthType = <Sent extends string | null | undefined>(sent: Sent): Sent | 'THREE_DS_2' =>
  sent === 'THREE_DS2' ? 'THREE_DS_2' : sent

/** The row as decisions keep payments, so that it finds those that were sent as it is written. */
export const inKeptSpelling = (row: SubLevelSettings): SubLevelSettings => ({
  ...row,
  authType: keptAuthType(row.authType),
  cardIsIn: row.cardIsIn?.slice(0, CARD_ISIN_LENGTH_MAX) ?? null,
})
