import type { Arm, ExperimentPaymentsQuery, ExperimentQuery, ExperimentStanding, ResultsRules } from '@switchyard/analytics'
import type { Experiment } from '@switchyard/routing'
import { decimal, InvalidQuery, integer, refuseRepeated, text, unsigned } from './analytics-query.ts'

/** What applies to experiments that are not known (analytics.md 6.5). */
const DEFAULT_RULES = { minSampleSize: 1_000, guardrailThresholdPp: 3 } as const
/** Worth of an approval as a share of the amount: all of it. */
const EVALUATION_MARGIN_DEFAULT = 1
const PAGE_SIZE_DEFAULT = 50
const PAGE_SIZE_MAX = 100

const notNegative = (
  query: URLSearchParams,
  name: 'guardrail_threshold_pp' | 'evaluation_margin' | 'detectable_effect_pp',
): number | undefined => {
  const value = decimal(query, name)
  if (value !== undefined && value < 0) throw new InvalidQuery(`${name}: expected a number from 0 on`)
  return value
}

const windowOf = (query: URLSearchParams): Pick<ExperimentQuery, 'startMs' | 'endMs'> => ({
  startMs: integer(query, 'start_ms'),
  endMs: integer(query, 'end_ms'),
})

/** Which figures are asked for, and what they are judged by. */
export interface ResultsRequest {
  readonly query: ExperimentQuery
  readonly rules: ResultsRules
}

/** What of a results request does not stand in its query string. */
export interface AskedExperiment {
  readonly id: string
  /** As it is stored; undefined of one that is not known. Its thresholds apply where the query names none. */
  readonly stored: Experiment | undefined
  readonly historySince: number
}

/** Reads the query of a results read (analytics.md 6.5). Throws {@link InvalidQuery}. */
export const parseResultsQuery = (query: URLSearchParams, { id, stored, historySince }: AskedExperiment): ResultsRequest => {
  refuseRepeated(query)
  const { minSampleSize, guardrailThresholdPp } = stored ?? DEFAULT_RULES
  const guardrail = notNegative(query, 'guardrail_threshold_pp') ?? guardrailThresholdPp
  return {
    query: { experimentId: id, historySince, ...windowOf(query) },
    rules: {
      minSampleSize: unsigned(query, 'min_sample_size') ?? minSampleSize,
      guardrailThresholdPp: guardrail,
      evaluationMargin: notNegative(query, 'evaluation_margin') ?? EVALUATION_MARGIN_DEFAULT,
      detectableEffectPp: notNegative(query, 'detectable_effect_pp') ?? guardrail,
      variantShare: stored === undefined ? null : stored.variantSplitPercent / 100,
    },
  }
}

const ARMS: Readonly<Record<string, Arm>> = { control: 'CONTROL', variant: 'VARIANT' }
const STANDINGS: Readonly<Record<string, ExperimentStanding>> = { success: 'succeeded', failure: 'failed', ab_test_decision: 'open' }

const wordOf = <Value>(query: URLSearchParams, name: 'arm' | 'status', words: Readonly<Record<string, Value>>): Value | undefined => {
  const word = text(query, name)
  if (word === undefined) return undefined
  if (!Object.hasOwn(words, word)) throw new InvalidQuery(`${name}: expected one of ${Object.keys(words).join(', ')}`)
  return words[word]
}

/** Reads the query of a list of payments (analytics.md 6.6). Throws {@link InvalidQuery}. */
export const parseTransactionsQuery = (
  query: URLSearchParams,
  { id, historySince }: Omit<AskedExperiment, 'stored'>,
): ExperimentPaymentsQuery => {
  refuseRepeated(query)
  return {
    experimentId: id,
    historySince,
    ...windowOf(query),
    arm: wordOf(query, 'arm', ARMS),
    standing: wordOf(query, 'status', STANDINGS),
    page: Math.max(1, unsigned(query, 'page') ?? 1),
    pageSize: Math.min(PAGE_SIZE_MAX, unsigned(query, 'page_size') ?? PAGE_SIZE_DEFAULT),
  }
}
