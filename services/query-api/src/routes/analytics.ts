import type { AnalyticsQueries, JournalQueries } from '@switchyard/analytics'
import type { Route, RouteApi, RouteSpec } from '@switchyard/http'
import { parseAuditQuery, parseDecisionQuery, parseErrorQuery, parseScoreQuery } from './analytics-query.ts'
import { gatewayScoresSchema, overviewSchema, scoreQueryParameters } from './answer-schemas.ts'
import { auditAnswer } from './audit-answers.ts'
import { auditQueryParameters, paymentAuditSchema } from './audit-schemas.ts'
import { decisionsAnswer, routingStatsAnswer } from './decision-answers.ts'
import { logSummariesAnswer } from './error-answers.ts'
import {
  decisionQueryParameters,
  decisionsSchema,
  errorQueryParameters,
  logSummariesSchema,
  routingEventsQueryParameters,
  routingEventsSchema,
  routingStatsSchema,
} from './figure-schemas.ts'
import { answerRead } from './merchant-reads.ts'
import { parseRoutingEventsQuery, routingEventsAnswer } from './routing-events.ts'
import { gatewayScoresAnswer, overviewAnswer } from './score-answers.ts'

/** What the reads work with. */
export interface AnalyticsRouteDeps {
  readonly queries: AnalyticsQueries
  readonly journal: Pick<JournalQueries, 'calibrations'>
  readonly historySinceOf: (merchantId: string) => number
}

type Read = (merchantId: string, query: URLSearchParams) => Promise<object>

/** A read of the caller's own merchant. */
export const readSpec = (path: string): RouteSpec => ({
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

const routeOf = (path: string, api: RouteApi, read: Read): Route => ({
  spec: readSpec(path),
  api,
  handle: (request) => answerRead(request, async (merchantId) => ({ status: 200, body: await read(merchantId, request.query) })),
})

const figureRoutes = ({ queries, journal, historySinceOf }: AnalyticsRouteDeps): readonly Route[] => [
  routeOf(
    '/analytics/decisions',
    { summary: 'Decisions by approach over time', query: decisionQueryParameters, answer: decisionsSchema },
    async (merchantId, query) =>
      decisionsAnswer(await queries.decisions(merchantId, parseDecisionQuery(query, historySinceOf(merchantId)))),
  ),
  routeOf(
    '/analytics/routing-stats',
    {
      summary: 'Shares of gateways, rules, scores, and what can be filtered by',
      query: decisionQueryParameters,
      answer: routingStatsSchema,
    },
    async (merchantId, query) =>
      routingStatsAnswer(await queries.routingStats(merchantId, parseDecisionQuery(query, historySinceOf(merchantId)))),
  ),
  routeOf(
    '/analytics/log-summaries',
    { summary: 'Calls that failed', query: errorQueryParameters, answer: logSummariesSchema },
    async (merchantId, query) => {
      const request = parseErrorQuery(query, historySinceOf(merchantId))
      return logSummariesAnswer(await queries.logSummaries(merchantId, request), request)
    },
  ),
  routeOf(
    '/analytics/routing-events',
    {
      summary: 'Leader changes, downtime of gateways, and what the self-tuning wrote',
      query: routingEventsQueryParameters,
      answer: routingEventsSchema,
    },
    async (merchantId, query) => {
      const { query: asked, include } = parseRoutingEventsQuery(query, historySinceOf(merchantId))
      const { window, paymentMethodType, paymentMethod } = asked
      const calibrations = await journal.calibrations(merchantId, { window, paymentMethodType, paymentMethod, include, aroundMs: 0 })
      return routingEventsAnswer(await queries.routingEvents(merchantId, asked), calibrations, asked)
    },
  ),
]

/** The analytics reads (analytics.md 1.1). */
export const analyticsRoutes = ({ queries, journal, historySinceOf }: AnalyticsRouteDeps): readonly Route[] => {
  const overview: Read = async (merchantId, query) =>
    overviewAnswer(await queries.overview(merchantId, parseScoreQuery(query, historySinceOf(merchantId))))
  const auditOf =
    (kind: 'live' | 'preview'): Read =>
    async (merchantId, query) => {
      const request = parseAuditQuery(query, kind, historySinceOf(merchantId))
      return auditAnswer(await queries.paymentAudit(merchantId, request.query), request)
    }
  const overviewApi = { summary: 'Counts, errors and scores of a span of time', query: scoreQueryParameters, answer: overviewSchema }
  return [
    routeOf('/analytics', overviewApi, overview),
    routeOf('/analytics/overview', overviewApi, overview),
    routeOf(
      '/analytics/gateway-scores',
      { summary: 'Scores of gateways over time', query: scoreQueryParameters, answer: gatewayScoresSchema },
      async (merchantId, query) =>
        gatewayScoresAnswer(await queries.gatewayScores(merchantId, parseScoreQuery(query, historySinceOf(merchantId)))),
    ),
    routeOf(
      '/analytics/payment-audit',
      { summary: 'Payments, and what happened to one', query: auditQueryParameters, answer: paymentAuditSchema },
      auditOf('live'),
    ),
    routeOf(
      '/analytics/preview-trace',
      { summary: 'Evaluations of rules, and what happened in one', query: auditQueryParameters, answer: paymentAuditSchema },
      auditOf('preview'),
    ),
    ...figureRoutes({ queries, journal, historySinceOf }),
  ]
}
