import { BPS } from '../fit/line.ts'
import { grouped } from '../grouped.ts'

/** Currencies that are offered to choose from. */
export const CURRENCY_COUNT_MAX = 20

/** A decision in which approval and cost were weighed. */
export interface WeighedDecision {
  readonly atMs: number
  readonly currency: string
  /** Major units. */
  readonly amount: number
  readonly outcome: 'COST_WON' | 'AUTH_WON'
  /** Null unless cost won. */
  readonly costSavedBps: number | null
  /** Share of the amount that an approved payment earns. */
  readonly margin: number
  /** Expected approval of the gateway with the best one, less that of the chosen one. */
  readonly authGivenUp: number
  /** Null until the outcome is known. */
  readonly isApproved: boolean | null
}

/** Decisions won by cost, by currency. */
export interface SavingsCurrency {
  readonly currency: string
  readonly decisionCount: number
}

/** What choosing by cost has saved in one currency, major units (cost.md 16). */
export interface Savings {
  /** Null when nothing was ever saved and none was asked for. */
  readonly currency: string | null
  readonly availableCurrencies: readonly SavingsCurrency[]
  /** Ascending; periods in which something was saved. */
  readonly trend: readonly { readonly bucketMs: number; readonly savedValue: number }[]
  readonly savedValue: number
  readonly costWonCount: number
  readonly totalDecisions: number
  /** Of payments that were approved: what was really saved. */
  readonly realisedValue: number
  /** What the approvals that were given up would have earned, by expectation. */
  readonly authValueGivenUp: number
}

const savedBy = ({ costSavedBps, amount }: WeighedDecision): number => ((costSavedBps ?? 0) / BPS) * amount
const isWon = ({ outcome }: WeighedDecision): boolean => outcome === 'COST_WON'
const isSaving = (decision: WeighedDecision): boolean => isWon(decision) && (decision.costSavedBps ?? 0) > 0
const total = (decisions: readonly WeighedDecision[], of: (decision: WeighedDecision) => number): number =>
  decisions.reduce((sum, decision) => sum + of(decision), 0)

/** Currencies in which cost has won, most decisions first, then by name. */
export const savingsCurrencies = (decisions: readonly WeighedDecision[]): readonly SavingsCurrency[] =>
  [...grouped(decisions.filter(isSaving), ({ currency }) => currency.trim())]
    .filter(([currency]) => currency !== '')
    .map(([currency, group]) => ({ currency, decisionCount: group.length }))
    .sort((one, other) => other.decisionCount - one.decisionCount || (one.currency < other.currency ? -1 : 1))
    .slice(0, CURRENCY_COUNT_MAX)

const trendOf = (decisions: readonly WeighedDecision[], periodMs: number): Savings['trend'] =>
  [...grouped(decisions.filter(isSaving), ({ atMs }) => Math.floor(atMs / periodMs) * periodMs)]
    .map(([bucketMs, group]) => ({ bucketMs, savedValue: total(group, savedBy) }))
    .sort((one, other) => one.bucketMs - other.bucketMs)

/** Savings in one currency: the one that is asked for, else the one in which cost has won most often. */
export const savingsOf = (decisions: readonly WeighedDecision[], requested: string | null, periodMs: number): Savings => {
  const availableCurrencies = savingsCurrencies(decisions)
  const currency = requested ?? availableCurrencies[0]?.currency ?? null
  const own = currency === null ? [] : decisions.filter((decision) => decision.currency.trim() === currency)
  const won = own.filter(isWon)
  return {
    currency,
    availableCurrencies,
    trend: trendOf(own, periodMs),
    savedValue: total(won, savedBy),
    costWonCount: won.length,
    totalDecisions: own.length,
    realisedValue: total(
      won.filter(({ isApproved }) => isApproved === true),
      savedBy,
    ),
    authValueGivenUp: total(won, ({ authGivenUp, amount, margin }) => authGivenUp * amount * margin),
  }
}
