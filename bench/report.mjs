import { tableLines } from '../demo/report.mjs'
import { spreadOf } from './statistics.mjs'
import { reachesTarget } from './verdict.mjs'

/** How figures are told, in the output and on the page. */

/** A figure with as many digits as say something. */
export const figure = (value) =>
  value >= 1000 ? Math.round(value).toLocaleString('en') : value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2)

/** A figure with its unit. */
export const withUnit = (value, unit) => `${figure(value)} ${unit}`.trim()

/** The bound of a target, and whether it is reached; empty without one. */
export const targetText = (metric) => {
  if (metric.target === null) return ''
  return `${metric.better === 'higher' ? '>=' : '<='} ${figure(metric.target)} ${reachesTarget(metric) === true ? 'reached' : 'MISSED'}`
}

/** The figures of a benchmark as lines of a table. */
export const metricLines = (metrics) => {
  const rows = metrics.map((metric) => [
    metric.name,
    withUnit(metric.median, metric.unit),
    `${figure(metric.min)} – ${figure(metric.max)}`,
    `${(spreadOf(metric) * 100).toFixed(0)} %`,
    targetText(metric),
  ])
  return tableLines(['', 'median', 'lowest – highest', 'spread', 'target'], rows).map((line) => `  ${line}`)
}
