/** What an invoice charges for; `flat_per_txn`, `periodic` and `credit` are not in settled fees, so they come on top (cost.md 11). */
export type InvoiceLineKind = 'credit' | 'already_modeled' | 'periodic' | 'flat_per_txn' | 'volume'

/** A line of an invoice, major units of its currency. */
export interface InvoiceLine {
  readonly description: string
  /** Of a line that tells the volume: the volume. */
  readonly amount: number
  /** Payments that it is for; 0 when not told. */
  readonly quantity: number
}

/** First match counts; lower case. */
const KINDS: readonly (readonly [InvoiceLineKind, RegExp])[] = [
  ['credit', /refund|dcc|dynamic currency conversion|correction|rebate/],
  ['already_modeled', /payment method fees|interchange|commission|markup|acquiring|authorisation scheme fee/],
  ['periodic', /non-transactional|non transactional/],
  ['already_modeled', /scheme fee/],
  ['flat_per_txn', /processing fee|transaction fee|revenue protect|revenueprotect|risk fee/],
  ['volume', /turnover|volume|sales/],
]

/** What a line charges for; money that comes back is a credit whatever it is called. */
export const kindOfLine = ({ description, amount }: InvoiceLine): InvoiceLineKind => {
  if (amount < 0) return 'credit'
  const text = description.toLowerCase()
  return KINDS.find(([, pattern]) => pattern.test(text))?.[0] ?? 'periodic'
}
