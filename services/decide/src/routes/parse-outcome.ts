import type { OutcomeError } from '@switchyard/events'
import type { OutcomeStatus } from '@switchyard/routing'
import { ERROR_TEXT_LENGTH_MAX } from '../limits.ts'
import { maskedText } from './free-text.ts'
import { type ErrorInfoWire, outcomeSchema } from './outcome-wire.ts'
import { type ParsedBody, parseBody } from './parse-body.ts'
import { isPlainOutcome } from './plain-outcome.ts'

/** What the body of a report says. */
export interface OutcomeBody {
  readonly merchantId: string
  readonly paymentId: string
  readonly gateway: string
  readonly status: OutcomeStatus
  readonly gatewayReferenceId: string | null
  readonly enforceFailure: boolean
  readonly gatewayLatencyMs: number | null
  readonly smartRetry: boolean | null
  readonly error: OutcomeError | null
}

const errorText = (text: string): string => maskedText(text, ERROR_TEXT_LENGTH_MAX)

const errorTextOrNull = (text: string | null | undefined): string | null => (text === null || text === undefined ? null : errorText(text))

const errorOf = (info: ErrorInfoWire): OutcomeError => ({
  flow: errorText(info.flow ?? ''),
  subFlow: errorText(info.subFlow ?? ''),
  errorCode: errorTextOrNull(info.errorCode),
  errorMessage: errorTextOrNull(info.errorMessage),
  issuerErrorCode: errorTextOrNull(info.issuerErrorCode),
  cardNetwork: errorTextOrNull(info.cardNetwork),
})

/** Reads a report (decide.md 6.1). Unknown members are ignored, texts of errors are cut to a bound. */
export const parseOutcome = (body: unknown): ParsedBody<OutcomeBody> => {
  const { value, problem } = isPlainOutcome(body) ? { value: body } : parseBody(outcomeSchema, body)
  if (problem !== undefined) return { problem }
  return {
    value: {
      merchantId: value.merchantId,
      paymentId: value.paymentId,
      gateway: value.gateway,
      status: value.status,
      gatewayReferenceId: value.gatewayReferenceId ?? null,
      enforceFailure: value.enforceDynamicRoutingFailure ?? false,
      gatewayLatencyMs: value.txnLatency?.gatewayLatency ?? null,
      smartRetry: value.isSmartRetry ?? null,
      error: value.errorInfo ? errorOf(value.errorInfo) : null,
    },
  }
}
