import { merchants } from '@switchyard/access'
import type { AnalyticsQueries } from '@switchyard/analytics'
import type { Configuration, HealthDeps } from '@switchyard/composition'
import { createQueryApi, type QueryApi } from './query-api.ts'

/** What a process has for this service. */
export interface QueryApiSurroundings {
  readonly queries: AnalyticsQueries
  readonly configuration: Configuration
  readonly health: HealthDeps
}

/** The service in a process, alone or beside others. */
export const assembleQueryApi = ({ queries, configuration: { states }, health }: QueryApiSurroundings): QueryApi =>
  createQueryApi({ queries, historySinceOf: (merchantId) => states.stateOf(merchants, merchantId).historySince, health })
