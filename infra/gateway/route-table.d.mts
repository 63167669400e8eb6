import type { Route, RouteSpec } from '@switchyard/http'

/** What one service of a cluster answers. */
export interface RouteTableRow {
  readonly service: 'command-api' | 'decide' | 'query-api' | 'webhook-dispatcher' | 'cost-ingestion'
  readonly specs: readonly RouteSpec[]
}

/** Every route of the cluster by its service; reading it starts nothing. */
export const routeTable: readonly RouteTableRow[]

/** Every route with what it says of itself. */
export const interfaceRoutes: readonly Route[]
