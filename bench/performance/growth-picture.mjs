import { short, ticksOf } from '../../demo/log-axis.mjs'
import { escaped, fixed, pathOf, scaleOf, text } from '../../demo/picture.mjs'
import { LIGHT, SERIES_COLOURS, STYLE } from '../../demo/picture-style.mjs'

const FRAME = { width: 960, height: 760, rounding: 10, left: 64, right: 24, top: 112, gapX: 58, gapY: 62, panelHeight: 150 }
/** Rows of panels from the top. */
const ROWS = [
  { line: 'decisionUs', title: 'a decision, µs' },
  { line: 'memoryMb', title: 'live memory, MB' },
  { line: 'startMs', title: 'a start, ms' },
]
/** A curve is drawn on a scale of at least so many times, so that noise does not look like a slope. */
const SCALE_MIN = 20

const panelOf = (row, column, columnCount) => {
  const width = (FRAME.width - FRAME.left - FRAME.right - FRAME.gapX * (columnCount - 1)) / columnCount
  const left = FRAME.left + column * (width + FRAME.gapX)
  const top = FRAME.top + row * (FRAME.panelHeight + FRAME.gapY)
  return { left, right: left + width, top, bottom: top + FRAME.panelHeight }
}

/** From and to of a row's scale, the same in all its panels: curves side by side can be compared. */
const boundsOf = (points) => {
  const values = points.flatMap(({ min, max, median }) => [min, max, median]).filter((value) => value > 0)
  if (values.length === 0) return { from: 1, to: SCALE_MIN }
  const [from, to] = [Math.min(...values) * 0.8, Math.max(...values) * 1.25]
  return to / from >= SCALE_MIN ? { from, to } : { from, to: from * SCALE_MIN }
}

const axesOf = ({ left, right, bottom }, { x, y, counts, values }) => {
  const vertical = ticksOf(values.from, values.to).map((tick) => {
    const at = fixed(y(Math.log10(tick)))
    const line = `<line x1="${fixed(left)}" x2="${fixed(right)}" y1="${at}" y2="${at}" class="grid" stroke="${LIGHT.grid}"/>`
    return line + text(left - 6, y(Math.log10(tick)) + 4, short(tick), { anchor: 'end', size: 11 })
  })
  const horizontal = counts.map((count) => text(x(Math.log10(count)), bottom + 16, short(count), { anchor: 'middle', size: 11 }))
  const base = `<line x1="${fixed(left)}" x2="${fixed(right)}" y1="${fixed(bottom)}" y2="${fixed(bottom)}" class="axis" stroke="${LIGHT.axis}"/>`
  return [...vertical, ...horizontal, base].join('')
}

const drawPanel = (panel, points, { title, values, colour }) => {
  const counts = points.map(({ point }) => point.count)
  const x = scaleOf(Math.log10(counts[0]), Math.log10(counts.at(-1)), panel.left, panel.right)
  const y = scaleOf(Math.log10(values.from), Math.log10(values.to), panel.bottom, panel.top)
  const placed = points.map(({ point, median }) => ({ x: x(Math.log10(point.count)), y: median > 0 ? y(Math.log10(median)) : Number.NaN }))
  const dots = placed
    .filter((place) => !Number.isNaN(place.y))
    .map((place) => `<circle cx="${fixed(place.x)}" cy="${fixed(place.y)}" r="3.2" fill="${colour}"/>`)
  return [
    text(panel.left, panel.top - 10, title, { tone: 'ink', weight: 600, size: 13 }),
    axesOf(panel, { x, y, counts, values }),
    `<path d="${pathOf(placed)}" fill="none" stroke="${colour}" stroke-width="2" stroke-linejoin="round"/>`,
    ...dots,
  ].join('')
}

/**
 * The growth curves as SVG text: a column for each axis, a row for each line; both scales go by powers of ten.
 *
 * @param {readonly import('../verdict.mjs').Metric[]} metrics those with a point
 */
export const drawGrowth = (metrics) => {
  const axes = [...new Set(metrics.map(({ point }) => point.axis))]
  const panels = ROWS.flatMap(({ line, title }, row) => {
    const values = boundsOf(metrics.filter(({ point }) => point.line === line))
    return axes.map((axis, column) => {
      const points = metrics.filter(({ point }) => point.line === line && point.axis === axis)
      return drawPanel(panelOf(row, column, axes.length), points, { title: `${title}, by ${axis}`, values, colour: SERIES_COLOURS[column] })
    })
  })
  const title = 'What grows with merchants, gateways and dimensions, and what does not'
  const subtitle = 'a process that decides, without its sockets; one axis grows, the others stand at 1 merchant, 3 gateways, 1 dimension'
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${FRAME.width} ${FRAME.height}" role="img" aria-label="${escaped(`${title}: ${subtitle}`)}">`,
    `<style>${STYLE}\n</style>`,
    `<rect x="0.5" y="0.5" width="${FRAME.width - 1}" height="${FRAME.height - 1}" rx="${FRAME.rounding}" class="surface" fill="${LIGHT.surface}" stroke="${LIGHT.border}"/>`,
    text(FRAME.left - 30, 36, title, { size: 17, weight: 650, tone: 'ink' }),
    text(FRAME.left - 30, 58, subtitle, { size: 13 }),
    ...panels,
    '</svg>',
    '',
  ].join('\n')
}
