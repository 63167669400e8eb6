import {
  actorOf,
  type PlatformErrorCode,
  platformError,
  type Route,
  type RouteReply,
  type RouteRequest,
  type RouteSpec,
} from '@switchyard/http'
import type { Position } from '@switchyard/kernel'
import { positionToken } from '@switchyard/runtime'
import type { Origin } from '../journal.ts'
import type { Answer, CostRefusal } from '../operations.ts'

/** The row of a route about the costs of the merchant in its path: reads know any merchant, writes those that there are. */
export const costSpec = (method: RouteSpec['method'], path: string, body: RouteSpec['body'] = 'none'): RouteSpec => ({
  method,
  path: `/merchant-account/:merchantId/${path}`,
  access: 'protected',
  permission: method === 'GET' ? 'routing:read' : 'routing:write',
  tenant: false,
  merchant: { in: 'path', name: 'merchantId', whenUnknown: method === 'GET' ? 'allowed' : 'not-found' },
  body,
  hot: false,
})

/** Who asks. */
export const originOf = ({ identity, requestId }: RouteRequest): Origin => ({ actor: actorOf(identity), requestId })

/** A parameter of the path. */
export const pathParam = ({ params }: RouteRequest, name: string): string => params[name] ?? ''

/** The merchant of a path. */
export const merchantOf = (request: RouteRequest): string => pathParam(request, 'merchantId')

interface RefusalText {
  readonly status: number
  readonly code: PlatformErrorCode
  readonly message: string
}

const text = (status: number, code: PlatformErrorCode, message: string): RefusalText => ({ status, code, message })

/** A new refusal does not compile until it has an answer. */
const TEXTS: Readonly<Record<CostRefusal, RefusalText>> = {
  MERCHANT_NOT_FOUND: text(404, 'TE_04', 'MerchantId not found'),
  INGESTION_NOT_FOUND: text(404, 'TE_02', 'id: no such ingestion'),
  CONNECTOR_UNKNOWN: text(404, 'TE_02', 'connector: no such connector; GET /cost-ingestion/connectors lists them'),
  SAMPLES_MISSING: text(404, 'TE_02', 'No sample report is there for this connector'),
  SAMPLE_UNREADABLE: text(400, 'TE_03', 'sample'),
  COLUMNS_MISSING: text(400, 'TE_03', 'columns: under this mapping the file lacks'),
  NOTICE_UNREADABLE: text(400, 'TE_03', 'The notice is rejected'),
  NOTICE_UNSIGNED: text(401, 'TE_04', 'The notice is rejected: its signature is not that of the account'),
  CONFLICT: text(409, 'TE_04', 'Others changed it at the same time; try again'),
}

const refusalOf = (refusal: CostRefusal, detail: string | undefined): RouteReply => {
  const { status, code, message } = TEXTS[refusal]
  return platformError(status, code, detail === undefined ? message : `${message}: ${detail}`)
}

const headersOf = (position: Position | undefined): Readonly<Record<string, string>> =>
  position === undefined ? {} : { 'x-log-position': positionToken('costs', position) }

/** What an operation gave, or why it was not done. */
export const replyOf = <Value>(answer: Answer<Value>, print: (value: Value) => unknown, status = 200): RouteReply =>
  answer.ok
    ? { status, ...(status === 204 ? {} : { body: print(answer.value) }), headers: headersOf(answer.position) }
    : refusalOf(answer.refusal, answer.detail)

/** A route of {@link costSpec}. */
export const costRoute = (spec: RouteSpec, api: NonNullable<Route['api']>, handle: Route['handle']): Route => ({ spec, api, handle })
