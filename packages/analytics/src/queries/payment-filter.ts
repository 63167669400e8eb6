import type { PaymentTimeline } from '../timelines/payment-timelines.ts'

/** What a searched payment must show; undefined asks for nothing. */
export interface PaymentFilter {
  /** Any of its entries has exactly this value. */
  readonly gateway: string | undefined
  readonly route: string | undefined
  readonly flowType: string | undefined
  readonly errorCode: string | undefined
  /** `success`: an approval, or a rule that matched; `FAILURE`: a failing outcome or a failed call; else exactly this status. */
  readonly status: string | undefined
  readonly routingApproach: string | undefined
  /** None of its entries has this label or asked for this strategy. */
  readonly excludeRoutingApproach: string | undefined
}

/** Status of a call that failed. */
const FAILED_CALL = 'failure'

const hasStatus = ({ statuses, outcomeClasses, summaryKind }: PaymentTimeline, status: string): boolean => {
  if (status === 'success') return outcomeClasses.includes('approved') || (summaryKind === 'preview' && statuses.includes('success'))
  return status === 'FAILURE' ? outcomeClasses.includes('declined') || statuses.includes(FAILED_CALL) : statuses.includes(status)
}

const isUnsetOr = (wanted: string | undefined, values: readonly string[]): boolean => wanted === undefined || values.includes(wanted)

/** Whether a search with this filter finds the payment (analytics.md 2.7). */
export const isFound = (timeline: PaymentTimeline, filter: PaymentFilter): boolean =>
  isUnsetOr(filter.gateway, timeline.gateways) &&
  isUnsetOr(filter.route, timeline.routes) &&
  isUnsetOr(filter.flowType, timeline.flows) &&
  isUnsetOr(filter.errorCode, timeline.errorCodes) &&
  isUnsetOr(filter.routingApproach, timeline.approaches) &&
  (filter.excludeRoutingApproach === undefined || !timeline.approaches.includes(filter.excludeRoutingApproach)) &&
  (filter.status === undefined || hasStatus(timeline, filter.status))
