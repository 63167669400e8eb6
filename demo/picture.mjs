import { GATEWAYS, OUTAGE, PHASES } from './market.mjs'
import { FRAME, LIGHT, SCORE_PANEL, SERIES_COLOURS, SHARE_PANEL, STYLE } from './picture-style.mjs'

const LABEL_GAP = 15
const TICK_COUNT = 5
const LEGEND_STEP = 118

/** A number of pixels as it is written. */
export const fixed = (value) => (Math.round(value * 10) / 10).toString()
/** Text that can't be taken for markup. */
export const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** A linear scale from values to pixels. */
export const scaleOf = (from, to, start, end) => (value) => start + ((value - from) / (to - from)) * (end - start)

/** Path through the points; a NaN interrupts it. */
export const pathOf = (points) => {
  let isDown = false
  return points
    .map(({ x, y }) => {
      if (Number.isNaN(y)) {
        isDown = false
        return ''
      }
      const command = isDown ? 'L' : 'M'
      isDown = true
      return `${command}${fixed(x)} ${fixed(y)}`
    })
    .join('')
}

/** Moves labels apart, so that neighbours keep `gap` pixels; keeps their order and stays within the bounds when there is room. */
export const spreadLabels = (labels, { gap, top, bottom }) => {
  const placed = [...labels].sort((one, other) => one.y - other.y).map((label) => ({ ...label }))
  let floor = top
  for (const label of placed) {
    label.y = Math.max(label.y, floor)
    floor = label.y + gap
  }
  let ceiling = bottom
  for (const label of placed.reverse()) {
    label.y = Math.min(label.y, ceiling)
    ceiling = label.y - gap
  }
  return placed.reverse()
}

/** One piece of text. */
export const text = (x, y, content, { size = 12, anchor = 'start', tone = 'muted', weight = 400, colour } = {}) =>
  `<text x="${fixed(x)}" y="${fixed(y)}" font-size="${size}" font-weight="${weight}" text-anchor="${anchor}"` +
  `${colour === undefined ? ` class="${tone}" fill="${LIGHT[tone]}"` : ` fill="${colour}"`}>${escaped(content)}</text>`

const gridLine = (y, tone) =>
  `<line x1="${FRAME.left}" x2="${FRAME.width - FRAME.right}" y1="${fixed(y)}" y2="${fixed(y)}" class="${tone}" stroke="${LIGHT[tone]}"/>`

const verticalAxis = ({ top, bottom }, values) => {
  const y = scaleOf(0, 1, bottom, top)
  return values
    .map(
      (value) =>
        gridLine(y(value), value === 0 ? 'axis' : 'grid') +
        text(FRAME.left - 8, y(value) + 4, `${Math.round(value * 100)} %`, { anchor: 'end' }),
    )
    .join('')
}

const timeAxis = (x, paymentCount) => {
  const ticks = Array.from({ length: TICK_COUNT + 1 }, (_, step) => Math.round((paymentCount * step) / TICK_COUNT))
  return (
    ticks.map((tick) => text(x(tick), SHARE_PANEL.bottom + 18, tick.toLocaleString('en'), { anchor: 'middle' })).join('') +
    text((FRAME.left + FRAME.width - FRAME.right) / 2, SHARE_PANEL.bottom + 40, 'payments', { anchor: 'middle' })
  )
}

const outageShade = (x, paymentCount) => {
  const phase = PHASES.find(({ name }) => name === OUTAGE.phase)
  const [from, to] = [x(phase.from * paymentCount), x(phase.to * paymentCount)]
  const shade = ({ top, bottom }) =>
    `<rect x="${fixed(from)}" y="${top}" width="${fixed(to - from)}" height="${bottom - top}" class="outage" fill="#1c1e22" fill-opacity="0.07"/>`
  return (
    shade(SCORE_PANEL) +
    text((from + to) / 2, SCORE_PANEL.top - 6, `outage of ${OUTAGE.gateway}`, { anchor: 'middle', tone: 'ink', size: 11 })
  )
}

const outageEdges = (x, paymentCount) => {
  const phase = PHASES.find(({ name }) => name === OUTAGE.phase)
  return [phase.from, phase.to]
    .map((share) => fixed(x(share * paymentCount)))
    .map(
      (at) =>
        `<line x1="${at}" x2="${at}" y1="${SCORE_PANEL.top}" y2="${SHARE_PANEL.bottom}" class="axis" stroke="${LIGHT.axis}" stroke-dasharray="3 3"/>`,
    )
    .join('')
}

const scorePanel = (buckets, x) => {
  const y = scaleOf(0, 1, SCORE_PANEL.bottom, SCORE_PANEL.top)
  const pointsOf = (valueOf) => buckets.map((bucket) => ({ x: x((bucket.from + bucket.to) / 2), y: y(valueOf(bucket)) }))
  const lines = GATEWAYS.map((_, slot) => {
    const colour = SERIES_COLOURS[slot]
    const truth = pathOf(pointsOf(({ trueRates }) => trueRates[slot]))
    const learned = pathOf(pointsOf(({ scores }) => scores[slot]))
    return (
      `<path d="${truth}" fill="none" stroke="${colour}" stroke-width="1.2" stroke-dasharray="2 4" stroke-opacity="0.75"/>` +
      `<path d="${learned}" fill="none" stroke="${colour}" stroke-width="2.2" stroke-linejoin="round"/>`
    )
  })
  const ends = GATEWAYS.map((gateway, slot) => ({
    gateway,
    slot,
    y: y(buckets.findLast(({ scores }) => !Number.isNaN(scores[slot]))?.scores[slot] ?? 0),
  }))
  const labels = spreadLabels(ends, { gap: LABEL_GAP, top: SCORE_PANEL.top, bottom: SCORE_PANEL.bottom }).map(
    ({ gateway, slot, y: middle }) =>
      text(FRAME.width - FRAME.right + 8, middle + 4, gateway, { colour: SERIES_COLOURS[slot], weight: 600 }),
  )
  return lines.join('') + labels.join('')
}

const sharePanel = (buckets, x) => {
  const y = scaleOf(0, 1, SHARE_PANEL.bottom, SHARE_PANEL.top)
  return buckets
    .map(({ from, to, shares }) => {
      let below = 0
      return shares
        .map((share, slot) => {
          if (Number.isNaN(share) || share === 0) return ''
          const rect =
            `<rect x="${fixed(x(from))}" y="${fixed(y(below + share))}" width="${fixed(x(to) - x(from))}" height="${fixed(y(below) - y(below + share))}"` +
            ` fill="${SERIES_COLOURS[slot]}" class="gap" stroke="${LIGHT.surface}" stroke-width="0.8"/>`
          below += share
          return rect
        })
        .join('')
    })
    .join('')
}

const legend = () => {
  const entries = GATEWAYS.map((gateway, slot) => {
    const left = FRAME.left + slot * LEGEND_STEP
    return (
      `<rect x="${left}" y="80" width="12" height="12" rx="3" fill="${SERIES_COLOURS[slot]}"/>` +
      text(left + 18, 90, gateway, { tone: 'ink' })
    )
  })
  const left = FRAME.left + GATEWAYS.length * LEGEND_STEP
  const truth =
    `<line x1="${left}" x2="${left + 26}" y1="86" y2="86" class="axis" stroke="${LIGHT.axis}" stroke-width="1.6" stroke-dasharray="2 4"/>` +
    text(left + 34, 90, 'true approval rate', { tone: 'ink' })
  return entries.join('') + truth
}

/**
 * The picture of a run as SVG text: what the router believed of each gateway, and where it sent the traffic.
 *
 * @param {{ readonly paymentCount: number, readonly subtitle: string, readonly scoreTitle: string, readonly scores: readonly
 *   import('./series.mjs').ScoreBucket[], readonly shares: readonly import('./series.mjs').ShareBucket[] }} run
 */
export const drawPicture = ({ paymentCount, subtitle, scoreTitle, scores, shares }) => {
  const x = scaleOf(0, paymentCount, FRAME.left, FRAME.width - FRAME.right)
  const title = `${paymentCount.toLocaleString('en')} payments over five gateways`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${FRAME.width} ${FRAME.height}" role="img" aria-label="${escaped(`${title}. ${subtitle}`)}">`,
    `<style>${STYLE}\n</style>`,
    `<rect x="0.5" y="0.5" width="${FRAME.width - 1}" height="${FRAME.height - 1}" rx="${FRAME.rounding}" class="surface" fill="${LIGHT.surface}" stroke="${LIGHT.border}"/>`,
    text(FRAME.left, 38, title, { size: 18, weight: 650, tone: 'ink' }),
    text(FRAME.left, 60, subtitle, { size: 13 }),
    legend(),
    text(FRAME.left, SCORE_PANEL.top - 6, scoreTitle, { tone: 'ink', weight: 600 }),
    outageShade(x, paymentCount),
    verticalAxis(SCORE_PANEL, [0, 0.25, 0.5, 0.75, 1]),
    scorePanel(scores, x),
    text(FRAME.left, SHARE_PANEL.top - 12, 'Share of all payments', { tone: 'ink', weight: 600 }),
    verticalAxis(SHARE_PANEL, [0, 0.5, 1]),
    sharePanel(shares, x),
    outageEdges(x, paymentCount),
    timeAxis(x, paymentCount),
    '</svg>',
    '',
  ].join('\n')
}
