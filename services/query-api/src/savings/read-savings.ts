import { type AnsweredWindow, type Freshness, readCostChoices, type ScoreQuery, type WeighedPayment } from '@switchyard/analytics'
import { type Savings, savingsCurrencies, savingsOf, type WeighedDecision } from '@switchyard/costs'
import type { Now, ReadStore } from '@switchyard/kernel'

/** What weighing cost has saved a merchant in a span of time. */
export interface SavingsAnswer {
  readonly merchantId: string
  readonly window: AnsweredWindow
  readonly bucketMs: number
  readonly savings: Savings
  readonly freshness: Freshness
}

/** Reads savings; argument and answer are plain data, so that the caller may sit behind a message port. */
export type ReadSavings = (merchantId: string, query: ScoreQuery) => Promise<SavingsAnswer>

const decisionOf = (payment: WeighedPayment): WeighedDecision => ({
  atMs: payment.decidedMs,
  currency: payment.currency,
  amount: payment.amount,
  outcome: payment.outcome,
  costSavedBps: payment.costSavedBps,
  margin: payment.margin,
  authGivenUp: payment.authGivenUp,
  isApproved: payment.isApproved,
})

/** {@link ReadSavings} over the documents of payments. Currencies are offered whatever is filtered by (cost.md 16). */
export const createReadSavings =
  ({ store, now }: { readonly store: ReadStore; readonly now: Now }): ReadSavings =>
  async (merchantId, query) => {
    const { asked, all, ...read } = await readCostChoices(store, now(), merchantId, query)
    const availableCurrencies = savingsCurrencies(all.map(decisionOf))
    const currency = query.dimensions.currency ?? availableCurrencies[0]?.currency ?? null
    const savings = savingsOf(asked.map(decisionOf), currency, read.bucketMs)
    return { ...read, savings: { ...savings, availableCurrencies } }
  }
