// Generated from schemas/ by `npm run generate`. Do not edit.
import type { OutcomeError } from './shared.ts'

/** A gateway's answer to a payment, as others write it into the topic outcomes-inbound; the fields are those of POST /update-gateway-score. */
export interface OutcomeReport {
  /** The merchant; also the key of the message. */
  readonly merchantId: string
  /** The gateway that processed the attempt. */
  readonly gateway: string
  /** The payment, as the decision was asked for it. */
  readonly paymentId: string
  /** Status of the attempt, in capitals. */
  readonly status: string
  /** Account at the gateway. */
  readonly gatewayReferenceId: string | null
  /** Count as failure whatever the status. */
  readonly enforceDynamicRoutingFailure: boolean | null
  /** Latency of the gateway in milliseconds; txnLatency.gatewayLatency over HTTP. */
  readonly gatewayLatencyMs: number | null
  /** What the gateway said. */
  readonly errorInfo: OutcomeError | null
  /** Whether the attempt was a smart retry. */
  readonly isSmartRetry: boolean | null
}
