import type { OutcomeRecorded, PaymentsEventPart } from '@switchyard/events'
import { assertNever, hash53 } from '@switchyard/kernel'

const HASH_LIMIT = 2 ** 53

/** The status of a report, and whether it is a failure all the same: two reports that differ in that do not say the same. */
const statedBy = ({ status, enforceFailure }: Pick<OutcomeRecorded['data'], 'status' | 'enforceFailure'>): string =>
  enforceFailure ? `${status}!` : status

/** What a report states, and whether its failure is excused: the same payment can fail again for another reason. */
const countedBy = (report: Pick<OutcomeRecorded['data'], 'status' | 'enforceFailure' | 'excused'>): string =>
  report.excused ? `${statedBy(report)}~` : statedBy(report)

const hashOf = ({ type, data }: PaymentsEventPart): number => {
  switch (type) {
    case 'GatewayDecided':
      return hash53(data.requestId, data.paymentId)
    case 'OutcomeRecorded':
      return hash53(data.requestId, data.paymentId, data.gateway, countedBy(data))
    case 'GatewayScoresReset':
    case 'ApiKeysUsed':
      return hash53(type, data.requestId)
    case 'DecisionRefused':
    case 'OutcomeRefused':
    case 'RuleEvaluated':
    case 'RuleEvaluationRefused':
      return hash53(type, data.requestId, data.paymentId ?? '')
    default:
      return assertNever(type)
  }
}

/** What a report said, as a number of 53 bits: two lines of an upload with equal content have the same. */
export const contentOf = (report: Pick<OutcomeRecorded['data'], 'paymentId' | 'gateway' | 'status' | 'enforceFailure'>): number =>
  hash53(report.paymentId, report.gateway, statedBy(report))

/** What a report says and how it counts, as a number of 53 bits: of two reports of one upload that have the same, one is enough. */
export const countOf = (
  report: Pick<OutcomeRecorded['data'], 'merchantId' | 'paymentId' | 'gateway' | 'status' | 'enforceFailure' | 'excused'>,
): number => hash53(report.merchantId, report.paymentId, report.gateway, countedBy(report))

/**
 * What tells an event from all others as a 53-bit number: kind, request, payment and time (two requests of one id within a
 * millisecond are one). A batch that was appended although the append was answered with an error is sent again: its events
 * then stand in the log twice, with equal identities.
 */
export const identityOf = (event: PaymentsEventPart): number => (hashOf(event) + Math.abs(event.data.at)) % HASH_LIMIT
