import type { OutcomeError } from '@switchyard/events'
import { ID_LENGTH_MAX } from '@switchyard/kernel'
import { OUTCOME_STATUSES, type OutcomeStatus } from '@switchyard/routing'
import { z } from 'zod'
import { ERROR_TEXT_LENGTH_MAX } from '../limits.ts'
import { maskedText } from './free-text.ts'
import { type ParsedBody, parseBody } from './parse-body.ts'

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

const id = z.string().max(ID_LENGTH_MAX)
const latency = z.object({ gatewayLatency: z.number().nullish() })

/** The connector is asked for and then not used: the gateway of the report is meant (decide.md 6.1). */
const errorInfo = z.object({
  connector: z.string(),
  flow: z.string().nullish(),
  subFlow: z.string().nullish(),
  errorCode: z.string().nullish(),
  errorMessage: z.string().nullish(),
  issuerErrorCode: z.string().nullish(),
  cardNetwork: z.string().nullish(),
})

const outcomeSchema = z.object({
  merchantId: id,
  gateway: id.min(1),
  paymentId: id,
  status: z.enum(OUTCOME_STATUSES),
  gatewayReferenceId: id.nullish(),
  enforceDynamicRoutingFailure: z.boolean().nullish(),
  txnLatency: latency.nullish(),
  errorInfo: errorInfo.nullish(),
  isSmartRetry: z.boolean().nullish(),
})

const errorText = (text: string): string => maskedText(text, ERROR_TEXT_LENGTH_MAX)

const errorTextOrNull = (text: string | null | undefined): string | null => (text === null || text === undefined ? null : errorText(text))

const errorOf = (info: z.output<typeof errorInfo>): OutcomeError => ({
  flow: errorText(info.flow ?? ''),
  subFlow: errorText(info.subFlow ?? ''),
  errorCode: errorTextOrNull(info.errorCode),
  errorMessage: errorTextOrNull(info.errorMessage),
  issuerErrorCode: errorTextOrNull(info.issuerErrorCode),
  cardNetwork: errorTextOrNull(info.cardNetwork),
})

/** Reads a report (decide.md 6.1). Unknown members are ignored, texts of errors are cut to a bound. */
export const parseOutcome = (body: unknown): ParsedBody<OutcomeBody> => {
  const { value, problem } = parseBody(outcomeSchema, body)
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
