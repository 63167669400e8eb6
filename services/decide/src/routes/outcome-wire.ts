import { ID_LENGTH_MAX } from '@switchyard/kernel'
import { OUTCOME_STATUSES, type OutcomeStatus } from '@switchyard/routing'
import * as z from 'zod'

type Optional<Value> = Value | null | undefined

/** What a report says of an error. The connector is asked for and then not used: the gateway of the report is meant (decide.md 6.1). */
export interface ErrorInfoWire {
  readonly connector: string
  readonly flow?: Optional<string>
  readonly subFlow?: Optional<string>
  readonly errorCode?: Optional<string>
  readonly errorMessage?: Optional<string>
  readonly issuerErrorCode?: Optional<string>
  readonly cardNetwork?: Optional<string>
}

/** A report as it is sent (decide.md 6.1). */
export interface OutcomeWire {
  readonly merchantId: string
  readonly gateway: string
  readonly paymentId: string
  readonly status: OutcomeStatus
  readonly gatewayReferenceId?: Optional<string>
  readonly enforceDynamicRoutingFailure?: Optional<boolean>
  readonly txnLatency?: Optional<{ readonly gatewayLatency?: Optional<number> }>
  readonly errorInfo?: Optional<ErrorInfoWire>
  readonly isSmartRetry?: Optional<boolean>
}

const id = z.string().max(ID_LENGTH_MAX)
const latency = z.object({ gatewayLatency: z.number().nullish() })

const errorInfo = z.object({
  connector: z.string(),
  flow: z.string().nullish(),
  subFlow: z.string().nullish(),
  errorCode: z.string().nullish(),
  errorMessage: z.string().nullish(),
  issuerErrorCode: z.string().nullish(),
  cardNetwork: z.string().nullish(),
})

export const outcomeSchema: z.ZodType<OutcomeWire> = z.object({
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
