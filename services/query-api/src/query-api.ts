import type { AnalyticsQueries } from '@switchyard/analytics'
import { type HealthDeps, healthRoutes } from '@switchyard/composition'
import type { Route } from '@switchyard/http'
import { analyticsRoutes } from './routes/analytics.ts'
import { decisionRoute } from './routes/decisions.ts'

/** What the service needs; the queries may sit behind a message port. */
export interface QueryApiDeps {
  readonly queries: AnalyticsQueries
  /** When a merchant's history begins, epoch milliseconds: nothing of an earlier merchant of its id is shown. */
  readonly historySinceOf: (merchantId: string) => number
  readonly health: HealthDeps
}

/** The reading side: nothing to start or stop, it only answers. */
export interface QueryApi {
  readonly routes: readonly Route[]
}

/** Analytics reads, explanations of decisions, and the health routes. */
export const createQueryApi = ({ queries, historySinceOf, health }: QueryApiDeps): QueryApi => ({
  routes: [...healthRoutes(health), ...analyticsRoutes({ queries, historySinceOf }), decisionRoute({ queries, historySinceOf })],
})
