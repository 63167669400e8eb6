import { merchants } from '@switchyard/access'
import type { AnalyticsQueries, JournalQueries } from '@switchyard/analytics'
import { type Configuration, type HealthDeps, newId, now } from '@switchyard/composition'
import type { LookAtBackTest } from './back-test/back-tests.ts'
import { createQueryApi, type QueryApi } from './query-api.ts'
import type { ReadSavings } from './savings/read-savings.ts'
import type { SimulatePage } from './simulation/simulate-page.ts'

/** What a process has for this service. */
export interface QueryApiSurroundings {
  readonly queries: AnalyticsQueries
  readonly journal: JournalQueries
  readonly configuration: Configuration
  readonly simulatePage: SimulatePage
  readonly lookAtBackTest: LookAtBackTest
  readonly readSavings: ReadSavings
  readonly health: HealthDeps
}

/** The service in a process, alone or beside others. */
export const assembleQueryApi = ({ configuration: { states }, ...rest }: QueryApiSurroundings): QueryApi =>
  createQueryApi({
    ...rest,
    states,
    now,
    newId,
    isMerchant: (merchantId) => states.stateOf(merchants, merchantId).registered,
    historySinceOf: (merchantId) => states.stateOf(merchants, merchantId).historySince,
  })
