import type { AnalyticsQueries } from '@switchyard/analytics'
import type { Route } from '@switchyard/http'
import { analyticsRoutes } from './routes/analytics.ts'
import { type HealthDeps, healthRoutes } from './routes/health.ts'

/** What the service needs; the queries may sit behind a message port. */
export interface QueryApiDeps {
  readonly queries: AnalyticsQueries
  readonly health: HealthDeps
}

/** The reading side: nothing to start or stop, it only answers. */
export interface QueryApi {
  readonly routes: readonly Route[]
}

/** Analytics reads and the health routes. */
export const createQueryApi = ({ queries, health }: QueryApiDeps): QueryApi => ({
  routes: [...healthRoutes(health), ...analyticsRoutes(queries)],
})
