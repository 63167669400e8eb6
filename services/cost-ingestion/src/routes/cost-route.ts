import { actorOf, platformError, type Route, type RouteReply, type RouteRequest, type RouteSpec } from '@switchyard/http'
import { assertNever, type Position } from '@switchyard/kernel'
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

const refusalOf = (refusal: CostRefusal, detail: string | undefined): RouteReply => {
  switch (refusal) {
    case 'INGESTION_NOT_FOUND':
      return platformError(404, 'TE_02', 'id: no such ingestion')
    case 'CONNECTOR_UNKNOWN':
      return platformError(404, 'TE_02', 'connector: no such connector; GET /cost-ingestion/connectors lists them')
    case 'SAMPLES_MISSING':
      return platformError(404, 'TE_02', 'No sample report is there for this connector')
    case 'SAMPLE_UNREADABLE':
      return platformError(400, 'TE_03', `sample: ${detail ?? 'can not be read as a table'}`)
    case 'COLUMNS_MISSING':
      return platformError(400, 'TE_03', `columns: the file lacks ${detail ?? 'what has to be there'} under this mapping`)
    case 'NOTICE_UNREADABLE':
      return platformError(400, 'TE_03', `The notice is rejected: ${detail ?? 'it can not be read'}`)
    case 'NOTICE_UNSIGNED':
      return platformError(401, 'TE_04', 'The notice is rejected: its signature is not that of the account')
    case 'CONFLICT':
      return platformError(409, 'TE_04', 'Others changed it at the same time; try again')
    default:
      return assertNever(refusal)
  }
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
