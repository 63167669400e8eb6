import type { RouteTableRow } from './route-table.mjs'

/** The whole configuration file of the gateway; throws for a path of two services, or a pattern that the gateway does not know. */
export const nginxConfigOf: (table: readonly RouteTableRow[]) => string
