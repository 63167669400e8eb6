import { kindOf, mainBaseline } from '../baseline.mjs'
import { figure, targetText, withUnit } from '../report.mjs'
import { GROWTH_LINES } from '../state-metrics.mjs'
import { sizingLines } from './sizing.mjs'

/** The parts of docs/performance.md that are made of the stored figures. */

const markers = (name) => ({ begin: `<!-- ${name}: made by npm run bench:page -->`, end: `<!-- end of ${name} -->` })

const row = (cells) => `| ${cells.join(' | ')} |`
const tableOf = (head, rows) => [row(head), row(head.map(() => '---')), ...rows.map(row)]

/** A ratio that is one of two figures in the same run has no unit; everything else is of the machine. */
const figureRow = (metric, isFirst) => [
  isFirst ? `\`${metric.benchmark}\`` : '',
  metric.isRatio ? `**${metric.name}**` : metric.name,
  withUnit(metric.median, metric.unit),
  `${figure(metric.min)} – ${figure(metric.max)}`,
  targetText(metric).replace('>=', '≥').replace('<=', '≤').replace('MISSED', '**missed**'),
]

const busyText = (busyBefore) => {
  if (busyBefore === null || busyBefore === undefined) return 'not recorded'
  return busyBefore < 0.1 ? 'nothing' : `${busyBefore.toFixed(1)} cores`
}

const circumstanceRow = (name, { at, machine, busyBefore }) => [
  `\`npm run bench ${name}\``,
  at.slice(0, 16).replace('T', ' '),
  `${kindOf(machine)}, ${machine.memoryGb} GB, Node ${machine.node}`,
  busyText(busyBefore),
]

/** The figures of some benchmarks, and a second table that says when and where each was taken. */
const tablesOf = ({ metrics, taken }, names) => {
  const own = (name) => metrics.filter((metric) => metric.benchmark === name && metric.point === undefined)
  const rows = names.flatMap((name) => own(name).map((metric, index) => figureRow(metric, index === 0)))
  return [
    ...tableOf(['Benchmark', 'Figure', 'Median', 'Lowest – highest', 'Target'], rows),
    '',
    ...tableOf(
      ['Command', 'Taken (UTC)', 'On', 'Busy with other work in front of it'],
      names.map((name) => circumstanceRow(name, taken[name])),
    ),
    '',
  ]
}

const figuresOf = (baseline, names) => {
  const [measured, missing] = [true, false].map((isThere) => names.filter((name) => name in baseline.taken === isThere))
  const named = missing.map((name) => `\`${name}\``).join(', ')
  return [...tablesOf(baseline, measured), ...(missing.length === 0 ? [] : [`Without a stored figure: ${named}.`])]
}

/** What a kind of machine did where another one's figures stand above. */
const othersOf = (main, [kind, baseline], names) => {
  const measured = names.filter((name) => name in baseline.taken && baseline.taken[name] !== main.taken[name])
  return measured.length === 0 ? [] : [`**${kind}**`, '', ...tablesOf(baseline, measured)]
}

const curvesOf = ({ metrics }) => {
  const points = metrics.filter(({ point }) => point !== undefined)
  const axes = [...new Set(points.map(({ point }) => point.axis))]
  const lines = Object.entries(GROWTH_LINES)
  return axes.flatMap((axis) => {
    const own = points.filter(({ point }) => point.axis === axis)
    const counts = [...new Set(own.map(({ point }) => point.count))]
    const cellOf = (count, line) => {
      const found = own.find(({ point }) => point.count === count && point.line === line)
      return found === undefined ? '' : withUnit(found.median, found.unit)
    }
    return [
      ...tableOf(
        [axis, ...lines.map(([, { label }]) => label)],
        counts.map((count) => [count.toLocaleString('en'), ...lines.map(([line]) => cellOf(count, line))]),
      ),
      '',
    ]
  })
}

const sectionsOf = (baselines, names) => {
  const main = mainBaseline(baselines)
  return {
    figures: figuresOf(main, names),
    others: Object.entries(baselines).flatMap((stored) => othersOf(main, stored, names)),
    curves: curvesOf(main),
    sizing: sizingLines(main.metrics),
  }
}

/**
 * The page with its made parts in the place of those that stand in it; throws when a part has no place.
 *
 * @param {string} text
 * @param {import('../baseline.mjs').Baselines} baselines
 * @param {readonly string[]} names benchmarks in the order of the page
 */
export const withSections = (text, baselines, names) => {
  let made = text
  for (const [name, lines] of Object.entries(sectionsOf(baselines, names))) {
    const { begin, end } = markers(name)
    const [from, to] = [made.indexOf(begin), made.indexOf(end)]
    if (from < 0 || to < from) throw new Error(`the page has no place for its ${name}: ${begin} … ${end}`)
    made = `${made.slice(0, from + begin.length)}\n\n${lines.join('\n').trim()}\n\n${made.slice(to)}`
  }
  return made
}
