import { metric, RATE, TIME } from './metric.mjs'
import { summaryOf } from './statistics.mjs'

/** What the figures say of benchmarks that look at what a process keeps, and at what it does beside answering. */

const BYTES = { unit: 'B', better: 'lower' }
const BITS_PER_BYTE = 8
const counted = (count) => count.toLocaleString('en')
/** A figure that was taken once. */
const single = (value) => ({ median: value, min: value, max: value })

/** Lines of decisions and outcomes beside everything else. */
export const mixedMetrics = (benchmark, { tailTarget }, figures) => [
  metric(benchmark, 'p99 against quiet', { unit: '', better: 'lower', isRatio: true, target: tailTarget }, figures.tailRatio),
  metric(benchmark, 'p99 of decisions', TIME, figures.p99Ms),
  metric(benchmark, 'p99 of decisions, quiet', TIME, figures.quietP99Ms),
  metric(benchmark, 'p99 of decisions beside a thread that only counts', TIME, figures.countingP99Ms),
  metric(benchmark, 'p99 against quiet, 2,000 requests a second', { unit: '', better: 'lower', isRatio: true }, figures.fewTailRatio),
  metric(benchmark, 'p99 of decisions, 2,000 requests a second', TIME, figures.fewP99Ms),
  metric(benchmark, 'p99 of decisions, quiet, 2,000 requests a second', TIME, figures.fewQuietP99Ms),
  metric(benchmark, 'p99 of outcomes', TIME, figures.outcomeP99Ms),
  metric(benchmark, 'decisions', RATE, figures.perSecond),
  metric(benchmark, 'outcomes', RATE, figures.outcomesPerSecond),
  metric(benchmark, 'webhooks', RATE, figures.webhooksPerSecond),
  metric(benchmark, 'rebuilds that came to their end', { unit: '', better: 'higher' }, single(figures.rebuiltCount)),
]

/** Lines of starts behind a snapshot. */
export const startMetrics = (benchmark, { readyTarget }, { eventCount, readyMs, emptyMs, ratio }) => [
  metric(benchmark, `${counted(eventCount)} events: ready after`, { ...TIME, target: readyTarget }, readyMs),
  metric(benchmark, 'no events: ready after', TIME, emptyMs),
  metric(benchmark, `${counted(eventCount)} events against none`, { unit: '', better: 'lower', isRatio: true }, ratio),
]

/** Lines of the memory of windows: what stands beside the bits must not grow with them. */
export const memoryMetrics = (benchmark, { windowBytes }, { windows }) =>
  windows.map(({ bucketSize, bytes }) =>
    metric(benchmark, `a window of ${counted(bucketSize)} outcomes`, { ...BYTES, target: windowBytes + bucketSize / BITS_PER_BYTE }, bytes),
  )

/** Lines of the projection into a store. */
export const projectorMetrics = (benchmark, { lagTarget }, figures) => [
  metric(benchmark, 'throughput against folding alone', { unit: '', better: 'higher', isRatio: true }, figures.ratio),
  metric(benchmark, 'events into the read models', RATE, figures.perSecond),
  metric(benchmark, 'processor time an event', { unit: 'us', better: 'lower' }, figures.cpuUs),
  metric(benchmark, 'events into the read models, 1,000 merchants', RATE, figures.ofManyPerSecond),
  metric(benchmark, 'processor time an event, 1,000 merchants', { unit: 'us', better: 'lower' }, figures.ofManyCpuUs),
  metric(benchmark, 'folding alone', RATE, figures.foldedPerSecond),
  metric(benchmark, 'behind 5,000 live events a second, p50', TIME, figures.lagP50Ms),
  metric(benchmark, 'behind 5,000 live events a second, p99', { ...TIME, target: lagTarget }, figures.lagP99Ms),
]

/** The lines of a growth curve. */
export const GROWTH_LINES = {
  decisionUs: { label: 'a decision', unit: 'us' },
  memoryMb: { label: 'live memory', unit: 'MB' },
  startMs: { label: 'a start', unit: 'ms' },
  storedMb: { label: 'stored states and snapshots', unit: 'MB' },
}

const pointMetrics = (benchmark, axis, { count, ...figures }) =>
  Object.entries(GROWTH_LINES).map(([line, { label, unit }]) =>
    metric(
      benchmark,
      `${counted(count)} ${axis}: ${label}`,
      { unit, better: 'lower', point: { axis, count, line } },
      summaryOf(figures[line]),
    ),
  )

/** How many times as long a decision takes at the end of a curve, turn by turn. */
const stretch = (first, last) => summaryOf(last.map((us, turn) => us / first[turn]))

/** Where a curve is judged from: one gateway is no choice, and is not scored. */
const judgedFrom = (axis, points) => (axis === 'gateways' ? (points.find(({ count }) => count >= 10) ?? points[0]) : points[0])

/** Lines of the growth curves: what is judged, then every point. */
export const growthMetrics = (benchmark, targets, curves) => [
  ...Object.entries(curves).map(([axis, points]) => {
    const [first, last] = [judgedFrom(axis, points), points.at(-1)]
    const name = `a decision, ${counted(last.count)} ${axis} against ${counted(first.count)}`
    const kind = { unit: '', better: 'lower', isRatio: true, target: targets[axis] }
    return metric(benchmark, name, kind, stretch(first.decisionUs, last.decisionUs))
  }),
  ...Object.entries(curves).flatMap(([axis, points]) => points.flatMap((point) => pointMetrics(benchmark, axis, point))),
]
