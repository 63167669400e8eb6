import type {
  AuditQuery,
  BucketWidth,
  DecisionQuery,
  DimensionFilter,
  ErrorQuery,
  RangePreset,
  ScoreQuery,
  SummaryKind,
  WindowQuery,
} from '@switchyard/analytics'
import { storedRouteOf } from './audit-names.ts'

/** A query string that can't be read; the message names the parameter (analytics.md 1.2). */
export class InvalidQuery extends Error {
  override readonly name = 'InvalidQuery'
}

/** Largest page size of a list. */
const PAGE_SIZE_MAX = 50

const PAGE_SIZE_DEFAULT = 10
const AUDIT_PAGE_SIZE_DEFAULT = 12
const UNSIGNED_MAX = 4_294_967_295

/** Everything that any analytics read knows; giving one of these twice is refused, other names are ignored. */
const KNOWN_PARAMETERS = [
  'range',
  'start_ms',
  'end_ms',
  'bucket',
  'page',
  'page_size',
  'payment_id',
  'request_id',
  'gateway',
  'route',
  'status',
  'flow_type',
  'routing_approach',
  'exclude_routing_approach',
  'error_code',
  'payment_method_type',
  'payment_method',
  'card_network',
  'card_is_in',
  'currency',
  'country',
  'auth_type',
  'min_sample_size',
  'guardrail_threshold_pp',
  'evaluation_margin',
  'detectable_effect_pp',
  'arm',
  'min_transaction_count',
  'min_score_delta',
  'tolerance_pp',
  'limit',
  'merchant_id',
  'subject',
  'subject_id',
  'actor',
  'change',
  'include',
] as const

type Parameter = (typeof KNOWN_PARAMETERS)[number]

/** The value of a parameter; an empty one counts as not given. */
export const text = (query: URLSearchParams, name: Parameter): string | undefined => {
  const value = query.get(name)
  return value === null || value === '' ? undefined : value
}

const trimmed = (query: URLSearchParams, name: Parameter): string | undefined => {
  const value = query.get(name)?.trim()
  return value === '' ? undefined : value
}

/** A whole number, of either sign. Throws {@link InvalidQuery}. */
export const integer = (query: URLSearchParams, name: Parameter): number | undefined => {
  const value = text(query, name)
  if (value === undefined) return undefined
  const number = Number(value)
  if (!/^[+-]?\d+$/.test(value) || !Number.isSafeInteger(number)) throw new InvalidQuery(`${name}: expected an integer`)
  return number
}

/** A whole number of 32 bits. Throws {@link InvalidQuery}. */
export const unsigned = (query: URLSearchParams, name: Parameter): number | undefined => {
  const value = integer(query, name)
  if (value !== undefined && (value < 0 || value > UNSIGNED_MAX)) {
    throw new InvalidQuery(`${name}: expected an integer from 0 to ${UNSIGNED_MAX}`)
  }
  return value
}

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

/** A number with or without a fraction. Throws {@link InvalidQuery}. */
export const decimal = (query: URLSearchParams, name: Parameter): number | undefined => {
  const value = text(query, name)
  if (value === undefined) return undefined
  const number = Number(value)
  if (!DECIMAL.test(value) || !Number.isFinite(number)) throw new InvalidQuery(`${name}: expected a number`)
  return number
}

const RANGES: readonly RangePreset[] = ['15m', '1h', '12h', '1d', '1w']
const BUCKETS: readonly BucketWidth[] = ['1m', '5m', '15m', '1h', '1d']

const bucketOf = (query: URLSearchParams): BucketWidth | undefined => {
  const value = text(query, 'bucket')
  const bucket = BUCKETS.find((known) => known === value)
  if (value !== undefined && bucket === undefined) throw new InvalidQuery(`bucket: expected one of ${BUCKETS.join(', ')}`)
  return bucket
}

/** The time of interest, without the width of points. Throws {@link InvalidQuery}. */
export const windowOf = (query: URLSearchParams, historySince: number): WindowQuery => ({
  range: RANGES.find((known) => known === query.get('range')) ?? '1h',
  startMs: integer(query, 'start_ms'),
  endMs: integer(query, 'end_ms'),
  bucket: undefined,
  historySince,
})

const windowWithPoints = (query: URLSearchParams, historySince: number): WindowQuery => ({
  ...windowOf(query, historySince),
  bucket: bucketOf(query),
})

/** Entries on a page. Throws {@link InvalidQuery}. */
export const pageSizeOf = (query: URLSearchParams, sizeDefault: number): number =>
  Math.min(PAGE_SIZE_MAX, Math.max(1, unsigned(query, 'page_size') ?? sizeDefault))

/** Page from 1. Throws {@link InvalidQuery}. */
export const pageOf = (query: URLSearchParams): number => Math.max(1, unsigned(query, 'page') ?? 1)

/** Throws {@link InvalidQuery} when a parameter is given twice. */
export const refuseRepeated = (query: URLSearchParams): void => {
  const repeated = KNOWN_PARAMETERS.find((name) => query.getAll(name).length > 1)
  if (repeated !== undefined) throw new InvalidQuery(`${repeated}: given more than once`)
}

const dimensionsOf = (query: URLSearchParams): DimensionFilter => ({
  paymentMethodType: text(query, 'payment_method_type'),
  paymentMethod: text(query, 'payment_method'),
  cardNetwork: text(query, 'card_network'),
  cardIsIn: text(query, 'card_is_in'),
  currency: text(query, 'currency'),
  country: text(query, 'country'),
  authType: text(query, 'auth_type'),
})

const gatewaysOf = (query: URLSearchParams): readonly string[] =>
  (query.get('gateway') ?? '')
    .split(',')
    .map((gateway) => gateway.trim())
    .filter((gateway) => gateway !== '')

/** Reads the query of a score or overview read (family A, analytics.md 1.4). Throws {@link InvalidQuery}. */
export const parseScoreQuery = (query: URLSearchParams, historySince: number): ScoreQuery => {
  refuseRepeated(query)
  pageOf(query)
  pageSizeOf(query, PAGE_SIZE_DEFAULT)
  return { window: windowWithPoints(query, historySince), dimensions: dimensionsOf(query), gateways: gatewaysOf(query) }
}

/** Reads the query of a read of decisions (family A). Labels narrow them too. Throws {@link InvalidQuery}. */
export const parseDecisionQuery = (query: URLSearchParams, historySince: number): DecisionQuery => ({
  ...parseScoreQuery(query, historySince),
  routingApproach: text(query, 'routing_approach'),
  excludeRoutingApproach: text(query, 'exclude_routing_approach'),
})

const routeIn = (query: URLSearchParams): string | undefined => {
  const route = text(query, 'route')
  return route && storedRouteOf(route)
}

/** Reads the query of a read of errors (family A). Route and error code narrow them too. Throws {@link InvalidQuery}. */
export const parseErrorQuery = (query: URLSearchParams, historySince: number): ErrorQuery => ({
  ...parseScoreQuery(query, historySince),
  route: routeIn(query),
  errorCode: text(query, 'error_code'),
  page: pageOf(query),
  pageSize: pageSizeOf(query, PAGE_SIZE_DEFAULT),
})

/** A search and the ids as they were given. */
export interface AuditRequest {
  readonly query: AuditQuery
  readonly paymentId: string | undefined
  readonly requestId: string | undefined
}

const statusOf = (query: URLSearchParams): string | undefined => {
  const status = trimmed(query, 'status')
  if (status?.toLowerCase() === 'success') return 'success'
  return status?.toLowerCase() === 'failure' ? 'FAILURE' : status
}

/** Reads the query of an audit read (family B, analytics.md 1.4 and 2.7). Throws {@link InvalidQuery}. */
export const parseAuditQuery = (query: URLSearchParams, summaryKind: SummaryKind, historySince: number): AuditRequest => {
  refuseRepeated(query)
  const paymentId = text(query, 'payment_id')
  const requestId = text(query, 'request_id')
  return {
    paymentId,
    requestId: paymentId === undefined ? requestId : undefined,
    query: {
      window: windowWithPoints(query, historySince),
      summaryKind,
      exactId: paymentId ?? requestId,
      page: pageOf(query),
      pageSize: pageSizeOf(query, AUDIT_PAGE_SIZE_DEFAULT),
      gateway: text(query, 'gateway'),
      route: summaryKind === 'preview' ? 'routing_evaluate' : routeIn(query),
      flowType: text(query, 'flow_type'),
      errorCode: text(query, 'error_code'),
      status: statusOf(query),
      routingApproach: text(query, 'routing_approach'),
      excludeRoutingApproach: text(query, 'exclude_routing_approach'),
    },
  }
}
