import type { AnalyticsQueries } from '@switchyard/analytics'
import { type Identity, platformError, type Route, type RouteReply, type RouteRequest, type RouteSpec } from '@switchyard/http'
import { isOperatingError } from '@switchyard/kernel'
import { InvalidQuery, parseAuditQuery, parseScoreQuery } from './analytics-query.ts'
import { auditAnswer } from './audit-answers.ts'
import { gatewayScoresAnswer, overviewAnswer } from './score-answers.ts'

type Read = (merchantId: string, query: URLSearchParams) => Promise<object>

/** The merchant is always that of the credential, never a parameter (analytics.md 1.2). */
const merchantOf = (identity: Identity): string | undefined =>
  identity.kind === 'key' || identity.kind === 'user' ? identity.merchantId : undefined

const failure = (error: unknown): RouteReply => {
  if (error instanceof InvalidQuery) return platformError(400, 'TE_03', `Failed to deserialize query string: ${error.message}`)
  if (!isOperatingError(error)) throw error
  const reply = error.retryable
    ? platformError(503, 'TE_01', 'Failed while connecting to database')
    : platformError(500, 'TE_01', 'failed while retrieving stored data')
  return { ...reply, cause: error }
}

const answer = async (read: Read, { identity, query }: RouteRequest): Promise<RouteReply> => {
  const merchantId = merchantOf(identity)
  if (merchantId === undefined) return platformError(401, 'TE_03', 'Analytics access requires JWT or API key authentication')
  try {
    return { status: 200, body: await read(merchantId, query) }
  } catch (error) {
    return failure(error)
  }
}

const specOf = (path: string): RouteSpec => ({
  method: 'GET',
  path,
  access: 'protected',
  permission: 'routing:read',
  tenant: true,
  body: 'none',
  hot: false,
  identity: 'required',
  servedBy: 'read-models',
})

const routeOf = (path: string, read: Read): Route => ({ spec: specOf(path), handle: (request) => answer(read, request) })

/** The analytics reads (analytics.md 1.1). */
export const analyticsRoutes = (queries: AnalyticsQueries): readonly Route[] => {
  const overview: Read = async (merchantId, query) => overviewAnswer(await queries.overview(merchantId, parseScoreQuery(query)))
  const auditOf =
    (kind: 'live' | 'preview'): Read =>
    async (merchantId, query) => {
      const request = parseAuditQuery(query, kind)
      return auditAnswer(await queries.paymentAudit(merchantId, request.query), request)
    }
  return [
    routeOf('/analytics', overview),
    routeOf('/analytics/overview', overview),
    routeOf('/analytics/gateway-scores', async (merchantId, query) =>
      gatewayScoresAnswer(await queries.gatewayScores(merchantId, parseScoreQuery(query))),
    ),
    routeOf('/analytics/payment-audit', auditOf('live')),
    routeOf('/analytics/preview-trace', auditOf('preview')),
  ]
}
