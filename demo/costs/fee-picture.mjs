import { short, ticksOf } from '../log-axis.mjs'
import { escaped, fixed, pathOf, scaleOf, text } from '../picture.mjs'
import { LIGHT, SERIES_COLOURS, STYLE } from '../picture-style.mjs'

const FRAME = { width: 960, height: 400, rounding: 10, left: 60, right: 24, top: 118, bottom: 340, gap: 64 }
const LINE_POINT_COUNT = 120
const BPS = 10_000

const panelOf = (slot, count) => {
  const width = (FRAME.width - FRAME.left - FRAME.right - FRAME.gap * (count - 1)) / count
  const left = FRAME.left + slot * (width + FRAME.gap)
  return { left, right: left + width }
}

/** The learned fee at an amount: of the piece that it lies in, or of the one line. */
const learnedFee = ({ pctBps, fixed: fixedPart, segments }, amount) => {
  const piece = segments.find(({ lo, hi }) => amount >= lo && amount < hi && lo < hi)
  const [bps, fixedFee] = piece === undefined ? [pctBps, fixedPart] : [piece.pct_bps, piece.fixed]
  return bps === null ? Number.NaN : (bps / BPS) * amount + fixedFee
}

const axes = ({ left, right }, x, y, { amounts, fees }) => {
  const vertical = ticksOf(fees.from, fees.to)
    .map(
      (tick) =>
        `<line x1="${fixed(left)}" x2="${fixed(right)}" y1="${fixed(y(Math.log10(tick)))}" y2="${fixed(y(Math.log10(tick)))}" class="grid" stroke="${LIGHT.grid}"/>` +
        text(left - 6, y(Math.log10(tick)) + 4, short(tick), { anchor: 'end', size: 11 }),
    )
    .join('')
  const horizontal = ticksOf(amounts.from, amounts.to)
    .map((tick) => text(x(Math.log10(tick)), FRAME.bottom + 16, short(tick), { anchor: 'middle', size: 11 }))
    .join('')
  const base = `<line x1="${fixed(left)}" x2="${fixed(right)}" y1="${FRAME.bottom}" y2="${FRAME.bottom}" class="axis" stroke="${LIGHT.axis}"/>`
  return vertical + horizontal + base
}

const drawPanel = (cluster, slot, count) => {
  const panel = panelOf(slot, count)
  const fees = cluster.payments.map(({ fee }) => fee)
  const amounts = cluster.payments.map(({ amount }) => amount)
  const bounds = {
    amounts: { from: Math.min(...amounts), to: Math.max(...amounts) },
    fees: { from: Math.min(...fees) * 0.8, to: Math.max(...fees) * 1.25 },
  }
  const x = scaleOf(Math.log10(bounds.amounts.from), Math.log10(bounds.amounts.to), panel.left, panel.right)
  const y = scaleOf(Math.log10(bounds.fees.from), Math.log10(bounds.fees.to), FRAME.bottom, FRAME.top)
  const colour = SERIES_COLOURS[slot]
  const circles = cluster.payments.map(
    ({ amount, fee }) => `<circle cx="${fixed(x(Math.log10(amount)))}" cy="${fixed(y(Math.log10(fee)))}" r="2.8"/>`,
  )
  const dots = `<g fill="${colour}" fill-opacity="0.35">${circles.join('')}</g>`
  const points = Array.from({ length: LINE_POINT_COUNT + 1 }, (_, step) => {
    const amount = bounds.amounts.from * (bounds.amounts.to / bounds.amounts.from) ** (step / LINE_POINT_COUNT)
    const fee = learnedFee(cluster, amount)
    return { x: x(Math.log10(amount)), y: fee > 0 ? y(Math.log10(fee)) : Number.NaN }
  })
  const line = `<path d="${pathOf(points)}" fill="none" class="learned" stroke="${LIGHT.ink}" stroke-width="1.1" stroke-linejoin="round"/>`
  const title =
    text(panel.left, FRAME.top - 30, cluster.title, { tone: 'ink', weight: 600, size: 13 }) +
    text(panel.left, FRAME.top - 13, `fee, ${cluster.currency}; ${cluster.subtitle}`, { size: 11 })
  return (
    title +
    axes(panel, x, y, bounds) +
    dots +
    line +
    text((panel.left + panel.right) / 2, FRAME.bottom + 36, `amount, ${cluster.currency}`, { anchor: 'middle', size: 11 })
  )
}

/**
 * Fee against amount of some clusters as SVG text: dots are payments of the report, the line is what was learned of it. Both axes go by
 * powers of ten.
 *
 * @param {{ readonly subtitle: string, readonly clusters: readonly import('./fee-picture.mjs').PicturedCluster[] }} picture
 */
export const drawFees = ({ subtitle, clusters }) => {
  const title = 'Fee against amount: payments of a settlement report, and the price that was learned of them'
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${FRAME.width} ${FRAME.height}" role="img" aria-label="${escaped(`${title}. ${subtitle}`)}">`,
    `<style>${STYLE}\n  @media (prefers-color-scheme: dark) { .learned { stroke: #f1f1ee } }\n</style>`,
    `<rect x="0.5" y="0.5" width="${FRAME.width - 1}" height="${FRAME.height - 1}" rx="${FRAME.rounding}" class="surface" fill="${LIGHT.surface}" stroke="${LIGHT.border}"/>`,
    text(FRAME.left - 30, 34, title, { size: 17, weight: 650, tone: 'ink' }),
    text(FRAME.left - 30, 56, subtitle, { size: 13 }),
    ...clusters.map((cluster, slot) => drawPanel(cluster, slot, clusters.length)),
    '</svg>',
    '',
  ].join('\n')
}
