import { CLUSTER_LIST_COUNT_MAX } from '@switchyard/costs'
import { platformError, type Route, type RouteRequest } from '@switchyard/http'
import * as z from 'zod'
import type { ClusterScope, CostOperations } from '../operations.ts'
import { clusterAnswer, facetAnswer, filterQuery, parseFilter, printCluster, printFacet } from './cluster-wire.ts'
import { costRoute, costSpec, merchantOf } from './cost-route.ts'

const LIMIT_DEFAULT = 10
const WHOLE = /^-?\d+$/

const scopeQuery = { connector: z.string(), account: z.string(), report_date: z.string(), ingestion_id: z.string() }

const given = (query: URLSearchParams, name: string): string | undefined => {
  const value = query.get(name)?.trim() ?? ''
  return value === '' ? undefined : value
}

const scopeOf = (request: RouteRequest): ClusterScope => {
  const { query } = request
  const connector = given(query, 'connector')?.toLowerCase()
  const account = given(query, 'account')
  const reportDate = given(query, 'report_date')
  const ingestionId = given(query, 'ingestion_id')
  return {
    merchantId: merchantOf(request),
    ...(connector === undefined ? {} : { connector }),
    ...(account === undefined ? {} : { account }),
    ...(reportDate === undefined ? {} : { reportDate }),
    ...(ingestionId === undefined ? {} : { ingestionId }),
  }
}

/** A whole number of the query; undefined when it is something else. */
const numberOf = (query: URLSearchParams, name: string, otherwise: number): number | undefined => {
  const value = given(query, name)
  if (value === undefined) return otherwise
  return WHOLE.test(value) ? Number(value) : undefined
}

const badNumber = (name: string) => platformError(400, 'TE_03', `${name}: must be a whole number`)

/** `cost-clusters` and `cost-cluster-facets` (cost.md 10.4). */
export const clusterRoutes = (operations: Pick<CostOperations, 'clusters' | 'facets'>): readonly Route[] => [
  costRoute(
    costSpec('GET', 'cost-clusters'),
    {
      summary: 'Clusters of payments and what they cost, those of most value first',
      query: { limit: z.int(), offset: z.int(), order: z.string(), ...scopeQuery, ...filterQuery },
      answer: z.array(clusterAnswer),
    },
    async (request) => {
      const { query } = request
      const limit = numberOf(query, 'limit', LIMIT_DEFAULT)
      const offset = numberOf(query, 'offset', 0)
      if (limit === undefined) return badNumber('limit')
      if (offset === undefined) return badNumber('offset')
      const filter = parseFilter(query)
      if (filter === undefined) return { status: 200, body: [] }
      const page = await operations.clusters({
        ...scopeOf(request),
        filter,
        order: query.get('order') === 'txns' ? 'txns' : 'gross',
        limit: Math.min(CLUSTER_LIST_COUNT_MAX, Math.max(1, limit)),
        offset: Math.max(0, offset),
      })
      return { status: 200, body: page.map(printCluster) }
    },
  ),
  costRoute(
    costSpec('GET', 'cost-cluster-facets'),
    { summary: 'What clusters can be filtered by', query: scopeQuery, answer: z.array(facetAnswer) },
    async (request) => ({ status: 200, body: (await operations.facets(scopeOf(request))).map(printFacet) }),
  ),
]
