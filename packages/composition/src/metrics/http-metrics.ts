import type { HttpTelemetry, Route } from '@switchyard/http'
import type { Registry } from 'prom-client'
import { counter, type LabelledNumber } from './counted.ts'
import { FixedHistogram } from './fixed-histogram.ts'
import { createLatencyFigures, type LatencyFigures } from './latency-figures.ts'

const STATUS_COUNT = 600
const FAILURE_FROM = 400
const SECOND_MS = 1_000
/** What no route answered: unknown paths, wrong methods. */
const NO_ENDPOINT = 'none'

/** The answers of one route: by status, and by how long they took. */
interface RouteFigures {
  readonly endpoint: string
  readonly byStatus: Float64Array
  readonly latency: LatencyFigures
}

const figuresOf = (endpoint: string): RouteFigures => ({
  endpoint,
  byStatus: new Float64Array(STATUS_COUNT),
  latency: createLatencyFigures(),
})

const byStatusOf = ({ endpoint, byStatus }: RouteFigures): readonly LabelledNumber[] =>
  Array.from(byStatus).flatMap((value, code) => {
    const status = code < FAILURE_FROM ? 'success' : 'failure'
    return value === 0 ? [] : [{ labels: { endpoint, status, code: String(code) }, value }]
  })

const totalOf = ({ byStatus }: RouteFigures): number => byStatus.reduce((sum, count) => sum + count, 0)

/** Requests and latency by route (platform.md 12). An endpoint is a row of the route table, never a path that was sent. */
export const createHttpMetrics = (registry: Registry): HttpTelemetry => {
  const registers = [registry]
  const byRoute = new Map<Route | undefined, RouteFigures>([[undefined, figuresOf(NO_ENDPOINT)]])
  const all = (): readonly RouteFigures[] => [...byRoute.values()]

  const addRoute = (route: Route): RouteFigures => {
    const figures = figuresOf(`${route.spec.method} ${route.spec.path}`)
    byRoute.set(route, figures)
    return figures
  }

  counter({
    name: 'api_requests_total',
    help: 'Requests answered, by row of the route table',
    labelNames: ['endpoint'],
    registers,
    read: () => all().map((figures) => ({ labels: { endpoint: figures.endpoint }, value: totalOf(figures) })),
  })
  counter({
    name: 'api_requests_by_status',
    help: 'Requests answered, by status',
    labelNames: ['endpoint', 'status', 'code'],
    registers,
    read: () => all().flatMap(byStatusOf),
  })
  new FixedHistogram({
    name: 'api_latency_seconds',
    help: 'Time from the head of a request to its answer',
    registers,
    read: () => all().map(({ endpoint, latency }) => ({ labels: { endpoint }, figures: latency })),
  })

  return {
    monotonicMs: () => performance.now(),
    answered: (route, status, durationMs) => {
      const figures = byRoute.get(route) ?? (route === undefined ? figuresOf(NO_ENDPOINT) : addRoute(route))
      figures.byStatus[status] = (figures.byStatus[status] ?? 0) + 1
      figures.latency.observe(durationMs / SECOND_MS)
    },
  }
}
