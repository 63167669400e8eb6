import type { RouteReply } from '@switchyard/http'
import type { PriorityPlan } from '@switchyard/routing'
import { priorityLogicOutput } from './priority-logic-output.ts'

/** What the error envelope of decision routes says (decide.md 2.3). */
export interface DecisionProblem {
  readonly httpStatus: number
  readonly status: string
  readonly errorCode: string
  readonly errorMessage: string
  readonly infoCode: string
  readonly userMessage: string
  readonly developerMessage: string
  readonly approach: 'NONE' | null
  readonly plan: PriorityPlan | null
}

const INVALID_REQUEST = {
  httpStatus: 400,
  status: 'Invalid Request',
  errorCode: 'invalid_request_error',
  approach: null,
  plan: null,
} as const

const invalidInput = (errorMessage: string, developerMessage: string): DecisionProblem => ({
  httpStatus: 400,
  status: '400',
  errorCode: '400',
  errorMessage,
  infoCode: 'INVALID_INPUT',
  userMessage: 'Invalid request params. Please verify your input.',
  developerMessage,
  approach: null,
  plan: null,
})

/** A body that is not what the route expects. */
export const unparsable = (detail: string): DecisionProblem => invalidInput('Error parsing request', detail)

/** The same on the routes of the older interface. */
export const unparsablePayload = (detail: string): DecisionProblem => invalidInput('Error parsing request payload', detail)

/** A report of the older interface that can be read but makes no sense. */
export const invalidRequest = (detail: string): DecisionProblem => ({
  ...INVALID_REQUEST,
  errorMessage: 'Invalid request',
  infoCode: 'INVALID_REQUEST',
  userMessage: 'Invalid request params. Please verify your input.',
  developerMessage: detail,
})

/** A report of the older interface that names no gateway. */
export const gatewayEmpty: DecisionProblem = {
  ...INVALID_REQUEST,
  errorMessage: 'Gateway is empty',
  infoCode: 'GATEWAY_NOT_FOUND',
  userMessage: 'Gateway is empty',
  developerMessage: 'missing field `txn_detail.gateway`',
}

/** A body over the limit of the route. */
export const tooLarge = (limitBytes: number): DecisionProblem => ({
  ...invalidInput('Error reading request body', `the body is larger than ${limitBytes} bytes`),
  httpStatus: 413,
  status: '413',
  errorCode: '413',
})

export const merchantNotFound = (merchantId: string): DecisionProblem => ({
  ...INVALID_REQUEST,
  errorMessage: 'Merchant not found',
  infoCode: 'MERCHANT_NOT_FOUND',
  userMessage: 'Merchant not found',
  developerMessage: `No merchant with the id ${merchantId}`,
})

/** The credential belongs to another merchant (law 9): a refusal that no client of an older interface meets, so its status can be true. */
export const merchantForeign = (merchantId: string): DecisionProblem => ({
  httpStatus: 403,
  status: 'Forbidden',
  errorCode: 'forbidden',
  errorMessage: 'The credential does not belong to this merchant',
  infoCode: 'MERCHANT_FOREIGN',
  userMessage: 'The credential does not belong to this merchant',
  developerMessage: `The credential may not act for the merchant ${merchantId}`,
  approach: null,
  plan: null,
})

export const gatewayNotFound = (plan: PriorityPlan | null): DecisionProblem => ({
  ...INVALID_REQUEST,
  errorMessage: "Can't find a suitable gateway to process the transaction",
  infoCode: 'GATEWAY_NOT_FOUND',
  userMessage: 'Gateway not found to process the transaction request.',
  developerMessage: 'Gateway not found to process the transaction request.',
  approach: 'NONE',
  plan,
})

export const debitRoutingNotEnabled = (merchantId: string): DecisionProblem => ({
  ...INVALID_REQUEST,
  status: 'Forbidden',
  errorCode: 'debit_routing_not_enabled',
  errorMessage: `Debit routing is not enabled for merchant: ${merchantId}`,
  infoCode: 'TE_05',
  userMessage: 'Debit routing is not enabled for this merchant',
  developerMessage: `Debit routing is not enabled for merchant: ${merchantId}; POST /merchant-account/${merchantId}/debit-routing enables it`,
})

/** The networks of a payment can't be told; why is said to developers (network.md 10, N7). */
export const networkNotFound = (detail: string): DecisionProblem => ({
  ...INVALID_REQUEST,
  errorMessage: "Can't find the co-badged card network",
  infoCode: 'CO_BADGED_NETWORK_NOT_FOUND',
  userMessage: "Can't find the co-badged card network",
  developerMessage: detail,
})

/** Only for clients that asked to be told (contract/README.md 6). */
export const paymentNotFound = (paymentId: string): DecisionProblem => ({
  ...INVALID_REQUEST,
  httpStatus: 404,
  status: '404',
  errorCode: 'GATEWAY_SCORING_DATA_NOT_FOUND',
  errorMessage: 'No decision is known for this payment',
  infoCode: 'GATEWAY_SCORING_DATA_NOT_FOUND',
  userMessage: 'No decision is known for this payment',
  developerMessage: `No decision is known for the payment ${paymentId}`,
})

/** Only so many uploads at a time. */
export const tooManyUploads: DecisionProblem = {
  ...INVALID_REQUEST,
  httpStatus: 503,
  status: '503',
  errorCode: 'TOO_MANY_UPLOADS',
  errorMessage: 'Other uploads are being recorded; please send it again later',
  infoCode: 'TOO_MANY_UPLOADS',
  userMessage: 'Other uploads are being recorded; please send it again later',
  developerMessage: 'As many uploads as may be recorded at the same time are under way; nothing of this one was read',
}

export const logUnavailable: DecisionProblem = {
  ...INVALID_REQUEST,
  httpStatus: 503,
  status: '503',
  errorCode: 'LOG_UNAVAILABLE',
  errorMessage: 'The outcome could not be stored; please send it again',
  infoCode: 'LOG_UNAVAILABLE',
  userMessage: 'The outcome could not be stored; please send it again',
  developerMessage: 'The event log is not available; nothing is lost if the report is repeated',
}

/** The answer: every member is always there. */
export const problemReply = (problem: DecisionProblem): RouteReply => ({
  status: problem.httpStatus,
  body: {
    status: problem.status,
    error_code: problem.errorCode,
    error_message: problem.errorMessage,
    priority_logic_tag: null,
    routing_approach: problem.approach,
    filter_wise_gateways: null,
    error_info: { code: problem.infoCode, user_message: problem.userMessage, developer_message: problem.developerMessage },
    priority_logic_output: priorityLogicOutput(problem.plan),
    is_dynamic_mga_enabled: false,
  },
})
