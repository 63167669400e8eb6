import { ID_LENGTH_MAX } from '@switchyard/kernel'
import { OUTCOME_STATUSES } from '@switchyard/routing'
import * as z from 'zod'
import { TEXT_LENGTH_MAX } from '../../limits.ts'
import { type DecisionProblem, gatewayEmpty, invalidRequest, unparsablePayload } from '../decision-envelope.ts'
import { isCurrency } from '../decision-wire.ts'
import { parseBody } from '../parse-body.ts'

/** What a report of the older interface says, or what is wrong with it. */
export type LegacyOutcome =
  /** `outcome`: the body of `POST /update-gateway-score` that reports the same. */
  { readonly merchantId: string; readonly outcome: object; readonly problem?: never } | { readonly problem: DecisionProblem }

const id = z.string().max(ID_LENGTH_MAX)
const text = z.string().max(TEXT_LENGTH_MAX)
/** Must be there, null is fine. */
const partitionKey = z.union([text, z.number(), z.null()])

const NUMERIC = /^\d{1,19}$/

/** The misspelt member is its wire name. */
const schema = z.object({
  txn_detail: z.object({
    id: z.string().regex(NUMERIC, 'expected digits'),
    orderId: id,
    txnId: id,
    txnUuid: id,
    merchantId: id,
    status: text,
    type: text,
    currency: text,
    gateway: id.nullish(),
    partitionKey,
  }),
  txn_card_info: z.object({
    id: text,
    paymentMethodType: id,
    paymentMethod: id,
    dateCreated: z.iso.datetime({ offset: true, local: true }),
    partitionKey,
  }),
  log_message: z.string(),
  enforce_dynaic_routing_failure: z.boolean().nullish(),
  gateway_reference_id: id.nullish(),
  txn_latency: z.object({ gatewayLatency: z.number().nullish() }).nullish(),
})

type Wire = z.output<typeof schema>

/** What {@link parseLegacyOutcome} reads, for the API's description. */
export const legacyOutcomeSchema: z.ZodType = schema

const statuses: ReadonlySet<string> = new Set(OUTCOME_STATUSES)

/** What is wrong with a report whose shape is right. */
const problemIn = ({ txn_detail: detail, txn_card_info: card }: Wire): DecisionProblem | undefined => {
  if ((detail.gateway ?? '') === '') return gatewayEmpty
  if (!isCurrency(detail.currency)) return invalidRequest('txn_detail.currency is no currency')
  return NUMERIC.test(card.id) ? undefined : invalidRequest('txn_card_info.id must be digits')
}

/** The body of `POST /update-gateway-score` that reports the same; a status that nobody knows is a failure. */
const outcomeBodyOf = ({ txn_detail: detail, ...report }: Wire): object => ({
  merchantId: detail.merchantId,
  gateway: detail.gateway,
  paymentId: detail.txnUuid,
  status: statuses.has(detail.status) ? detail.status : 'FAILURE',
  gatewayReferenceId: report.gateway_reference_id,
  enforceDynamicRoutingFailure: report.enforce_dynaic_routing_failure,
  txnLatency: report.txn_latency,
})

/** Reads a report of the older interface (decide.md 13.2). */
export const parseLegacyOutcome = (body: unknown): LegacyOutcome => {
  const { value, problem } = parseBody(schema, body)
  if (problem !== undefined) return { problem: unparsablePayload(problem) }
  const wrong = problemIn(value)
  return wrong === undefined ? { merchantId: value.txn_detail.merchantId, outcome: outcomeBodyOf(value) } : { problem: wrong }
}
