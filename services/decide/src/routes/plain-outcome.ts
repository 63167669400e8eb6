import { OUTCOME_STATUSES } from '@switchyard/routing'
import type { OutcomeWire } from './outcome-wire.ts'
import { isFlagOrNone, isId, isIdOrNone, isName, isNullish, isObject, isOneOf, type Members } from './plain-values.ts'

const isStatus = isOneOf(OUTCOME_STATUSES)

const isLatencyOrNone = (value: unknown): boolean => {
  if (!isObject(value)) return isNullish(value)
  const { gatewayLatency }: Members<NonNullable<OutcomeWire['txnLatency']>> = value
  return isNullish(gatewayLatency) || Number.isFinite(gatewayLatency)
}

/**
 * Whether the schema accepts a report without an error, told in a tenth of the schema's time. The others, and what is refused
 * here, are left to the schema; a property test holds the two to each other.
 */
export const isPlainOutcome = (body: unknown): body is OutcomeWire => {
  if (!isObject(body)) return false
  const report: Members<OutcomeWire> = body
  return (
    isId(report.merchantId) &&
    isName(report.gateway) &&
    isId(report.paymentId) &&
    isStatus(report.status) &&
    isIdOrNone(report.gatewayReferenceId) &&
    isFlagOrNone(report.enforceDynamicRoutingFailure) &&
    isLatencyOrNone(report.txnLatency) &&
    isNullish(report.errorInfo) &&
    isFlagOrNone(report.isSmartRetry)
  )
}
