import type { Route } from '@switchyard/http'
import type { CostOperations } from '../operations.ts'
import { clusterRoutes } from './clusters.ts'
import { type ColumnMappingRouteDependencies, columnMappingRoutes } from './column-mapping.ts'
import { connectorFeesRoute } from './connector-fees.ts'
import { coverageRoutes } from './coverage.ts'
import { ingestionRoutes } from './ingestions.ts'
import { noticeRoute } from './notices.ts'
import { type ReportRouteDependencies, reportRoutes } from './reports.ts'
import { sampleRoutes } from './samples.ts'

/** What the routes need. */
export interface CostRouteDependencies
  extends Omit<ReportRouteDependencies, 'operations' | 'states'>,
    Omit<ColumnMappingRouteDependencies, 'operations'> {
  readonly operations: CostOperations
}

/** Every route of settlement reports and of what is learned from them. */
export const costRoutes = (dependencies: CostRouteDependencies): readonly Route[] => [
  ...reportRoutes(dependencies),
  ...sampleRoutes(dependencies.operations),
  ...columnMappingRoutes(dependencies),
  connectorFeesRoute(dependencies.operations),
  ...ingestionRoutes(dependencies.operations),
  ...clusterRoutes(dependencies.operations),
  ...coverageRoutes(dependencies.operations),
  noticeRoute(dependencies.operations),
]
