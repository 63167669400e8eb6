import type { SubLevelSettings } from '@switchyard/events'

/** Digits of a card number that are kept: enough to name the issuer, not the card. */
export const CARD_ISIN_LENGTH_MAX = 8

/** The row as decisions keep payments, so that it finds those that were sent as it is written: 3-D Secure 2 has two spellings. */
export const inKeptSpelling = (row: SubLevelSettings): SubLevelSettings => ({
  ...row,
  authType: row.authType === 'THREE_DS2' ? 'THREE_DS_2' : row.authType,
  cardIsIn: row.cardIsIn?.slice(0, CARD_ISIN_LENGTH_MAX) ?? null,
})
