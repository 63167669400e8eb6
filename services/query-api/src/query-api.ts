import type { AnalyticsQueries } from '@switchyard/analytics'
import { type HealthDeps, healthRoutes } from '@switchyard/composition'
import type { Route } from '@switchyard/http'
import { analyticsRoutes } from './routes/analytics.ts'
import { type BackTestRouteDeps, backTestRoute } from './routes/back-test.ts'
import { type ChangesRouteDeps, changesRoute } from './routes/changes.ts'
import { type CostSavingsRouteDeps, costSavingsRoute } from './routes/cost-savings.ts'
import { decisionRoute } from './routes/decisions.ts'
import { experimentRoutes } from './routes/experiments.ts'
import { selfTuningRoute } from './routes/self-tuning.ts'
import { type SimulateRouteDeps, simulateRoute } from './routes/simulate.ts'

/** What the service needs; the queries may sit behind a message port. */
export interface QueryApiDeps
  extends SimulateRouteDeps,
    BackTestRouteDeps,
    Pick<CostSavingsRouteDeps, 'readSavings'>,
    Pick<ChangesRouteDeps, 'isMerchant' | 'journal'> {
  readonly queries: AnalyticsQueries
  /** When a merchant's history begins, epoch milliseconds: nothing of an earlier merchant of its id is shown. */
  readonly historySinceOf: (merchantId: string) => number
  readonly health: HealthDeps
}

/** The reading side: nothing to start or stop, it only answers. */
export interface QueryApi {
  readonly routes: readonly Route[]
}

/** Analytics reads, changes of configuration, results of experiments, explanations of decisions, simulations of algorithms, and the health routes. */
export const createQueryApi = (deps: QueryApiDeps): QueryApi => ({
  routes: [
    ...healthRoutes(deps.health),
    ...analyticsRoutes(deps),
    decisionRoute(deps),
    changesRoute(deps),
    ...experimentRoutes(deps),
    selfTuningRoute(deps),
    simulateRoute(deps),
    backTestRoute(deps),
    costSavingsRoute(deps),
  ],
})
