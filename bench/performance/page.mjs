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

const figuresOf = ({ metrics, taken }, names) => {
  const own = (name) => metrics.filter((metric) => metric.benchmark === name && metric.point === undefined)
  const measured = names.filter((name) => own(name).length > 0)
  const missing = names.filter((name) => !measured.includes(name))
  const rows = measured.flatMap((name) => own(name).map((metric, index) => figureRow(metric, index === 0)))
  const circumstances = measured.map((name) => {
    const { at, machine, busyBefore } = taken[name]
    const { cpu, coreCount, memoryGb, node } = machine
    return [
      `\`npm run bench ${name}\``,
      at.slice(0, 16).replace('T', ' '),
      `${cpu}, ${coreCount} cores, ${memoryGb} GB, Node ${node}`,
      busyText(busyBefore),
    ]
  })
  return [
    ...tableOf(['Benchmark', 'Figure', 'Median', 'Lowest – highest', 'Target'], rows),
    '',
    ...(missing.length === 0 ? [] : [`Without a stored figure: ${missing.map((name) => `\`${name}\``).join(', ')}.`, '']),
    ...tableOf(['Command', 'Taken (UTC)', 'On', 'Busy with other work in front of it'], circumstances),
  ]
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

const sectionsOf = (baseline, names) => ({
  figures: figuresOf(baseline, names),
  curves: curvesOf(baseline),
  sizing: sizingLines(baseline.metrics),
})

/**
 * The page with its made parts in the place of those that stand in it; throws when a part has no place.
 *
 * @param {string} text
 * @param {import('../verdict.mjs').StoredBaseline} baseline
 * @param {readonly string[]} names benchmarks in the order of the page
 */
export const withSections = (text, baseline, names) => {
  let made = text
  for (const [name, lines] of Object.entries(sectionsOf(baseline, names))) {
    const { begin, end } = markers(name)
    const [from, to] = [made.indexOf(begin), made.indexOf(end)]
    if (from < 0 || to < from) throw new Error(`the page has no place for its ${name}: ${begin} … ${end}`)
    made = `${made.slice(0, from + begin.length)}\n\n${lines.join('\n').trim()}\n\n${made.slice(to)}`
  }
  return made
}
