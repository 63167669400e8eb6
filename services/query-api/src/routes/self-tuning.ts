import {
  type ApprovalCounts,
  type Calibrations,
  type ComparedSpan,
  type Comparison,
  differenceOfRates,
  type ToldCalibration,
} from '@switchyard/analytics'
import type { Route } from '@switchyard/http'
import { AUTOPILOT, type SuccessRateScoring, successRateScoring } from '@switchyard/routing'
import type { StreamStates } from '@switchyard/runtime'
import { type AnalyticsRouteDeps, readSpec } from './analytics.ts'
import { pageOf, pageSizeOf, refuseRepeated, text, windowOf } from './analytics-query.ts'
import { CALIBRATION_OUTCOMES, calibratedMembers } from './calibration-events.ts'
import { selfTuningQueryParameters, selfTuningSchema } from './figure-schemas.ts'
import { freshnessAnswer } from './freshness-answer.ts'
import { answerRead } from './merchant-reads.ts'

/** What the report works with. */
export interface SelfTuningRouteDeps extends AnalyticsRouteDeps {
  readonly states: Pick<StreamStates, 'stateOf' | 'readIndex'>
}

/** Time before and behind a change that approvals are compared over, unless the next change comes first. */
const COMPARED_MS = 3_600_000
const PAGE_SIZE_DEFAULT = 10

const clusterKey = (one: ToldCalibration): string =>
  JSON.stringify([one.paymentMethodType, one.paymentMethod, one.cardNetwork, one.currency, one.country, one.authType])

/** Times to compare for changes from `first` on: up to an hour on both sides, without another change of the same group in them. Newest first. */
const spansOf = (
  { later, earlier }: Calibrations['around'],
  shown: readonly ToldCalibration[],
  { first, count }: { readonly first: number; readonly count: number },
): readonly ComparedSpan[] => {
  const changes = [...later, ...shown, ...earlier]
  const keys = changes.map(clusterKey)
  return shown.slice(first, first + count).map((one, offset) => {
    const index = later.length + first + offset
    const next = index === 0 ? -1 : keys.lastIndexOf(clusterKey(one), index - 1)
    const previous = keys.indexOf(clusterKey(one), index + 1)
    return {
      cluster: one,
      fromMs: Math.max(one.at - COMPARED_MS, changes[previous]?.at ?? 0),
      atMs: one.at,
      toMs: Math.min(one.at + COMPARED_MS, changes[next]?.at ?? Number.POSITIVE_INFINITY),
    }
  })
}

const approvalsAnswer = ({ paymentCount, outcomeCount, approvedCount }: ApprovalCounts): object => ({
  payment_count: paymentCount,
  outcome_count: outcomeCount,
  approved_count: approvedCount,
  approval_rate: outcomeCount === 0 ? null : approvedCount / outcomeCount,
})

const changeAnswer = (one: ToldCalibration, { before, after }: Comparison): object => {
  const difference = differenceOfRates(before, after)
  return {
    run_id: one.runId,
    at_ms: one.at,
    outcome: CALIBRATION_OUTCOMES[one.outcome],
    payment_method_type: one.paymentMethodType,
    payment_method: one.paymentMethod,
    ...calibratedMembers(one),
    payment_count: one.paymentCount,
    gateway_count: one.gatewayCount,
    hedging_capped: one.isHedgingCapped,
    before: approvalsAnswer(before),
    after: approvalsAnswer(after),
    delta_pp: difference?.deltaPp ?? null,
    confidence_interval_pp: difference?.intervalPp ?? null,
  }
}

const rowsAnswer = ({ settings }: SuccessRateScoring): readonly object[] =>
  (settings?.subLevelInputConfig ?? [])
    .filter(({ source }) => source === AUTOPILOT)
    .map((row) => ({
      payment_method_type: row.paymentMethodType ?? '',
      payment_method: row.paymentMethod,
      source: AUTOPILOT,
      ...Object.fromEntries(
        Object.entries({
          bucket_size: row.bucketSize,
          hedging_percent: row.hedgingPercent,
          card_network: row.cardNetwork,
          currency: row.currency,
          country: row.country,
          auth_type: row.authType,
        }).filter(([, value]) => value !== null),
      ),
    }))

const modeOf = ({ tuning }: SuccessRateScoring): 'off' | 'observe_only' | 'autopilot' => {
  if (!tuning.isOn) return 'off'
  return tuning.mayWrite ? 'autopilot' : 'observe_only'
}

/**
 * `GET /analytics/self-tuning`: the rows of the self-tuning that are in force, what it changed within the window, and what approvals
 * of these payments did before and behind each change. A comparison in time: whatever else changed then is in it too.
 */
export const selfTuningRoute = ({ queries, journal, states, historySinceOf }: SelfTuningRouteDeps): Route => ({
  spec: readSpec('/analytics/self-tuning'),
  api: { summary: 'What the self-tuning changed, and what approvals did', query: selfTuningQueryParameters, answer: selfTuningSchema },
  handle: (request) =>
    answerRead(request, async (merchantId) => {
      const { query } = request
      refuseRepeated(query)
      const [page, pageSize] = [pageOf(query), pageSizeOf(query, PAGE_SIZE_DEFAULT)]
      const asked = {
        window: windowOf(query, historySinceOf(merchantId)),
        paymentMethodType: text(query, 'payment_method_type'),
        paymentMethod: text(query, 'payment_method'),
        include: 'changed',
        aroundMs: COMPARED_MS,
      } as const
      await states.readIndex(merchantId)
      const { window, runCount, calibrations, around, freshness } = await journal.calibrations(merchantId, asked)
      const first = (page - 1) * pageSize
      const shown = calibrations.slice(first, first + pageSize)
      const comparisons = await queries.comparisons(merchantId, spansOf(around, calibrations, { first, count: pageSize }))
      const scoring = states.stateOf(successRateScoring, merchantId)
      const body = {
        merchant_id: merchantId,
        range: window.label,
        mode: modeOf(scoring),
        run_count: runCount,
        rows: rowsAnswer(scoring),
        changes: shown.flatMap((one, index) => {
          const comparison = comparisons[index]
          return comparison === undefined ? [] : [changeAnswer(one, comparison)]
        }),
        page,
        page_size: pageSize,
        total_results: calibrations.length,
        start_ms: window.startMs,
        end_ms: window.endMs,
        ...freshnessAnswer(freshness),
      }
      return { status: 200, body }
    }),
})
