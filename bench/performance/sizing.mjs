import { figure } from '../report.mjs'

/** How many of everything a deployment needs, computed from the stored figures. */

const US_PER_SECOND = 1_000_000
const asItIs = (value) => value
/** Processor time of one as how many a core carries in a second. */
const perCore = (us) => US_PER_SECOND / us

/** What the arithmetic starts from, each a second of one core: which figure of which benchmark, and what is made of it. */
const SOURCES = {
  decisions: { benchmark: 'decide-50', name: 'throughput', made: asItIs },
  outcomes: { benchmark: 'outcomes-50', name: 'throughput', made: asItIs },
  folded: { benchmark: 'replay', name: 'throughput', made: asItIs },
  projected: { benchmark: 'projector', name: 'processor time an event', made: perCore },
}
/** Share of a core that is planned with. */
const PLANNED_SHARE = 0.6
/** Share of a core of a deciding process that may go into folding what others record. */
const FOLDING_SHARE = 0.3
const EVENTS_PER_PAYMENT = 2
const PARTITION_COUNT_MIN = 12
/** Partitions for each projecting process, so that it can be replaced by two. */
const PARTITIONS_PER_PROJECTOR = 2
const RATES = [10_000, 100_000, 1_000_000]
const KILOBYTES_PER_MEGABYTE = 1_024

const factsOf = (metrics) =>
  Object.fromEntries(
    Object.entries(SOURCES).map(([fact, { benchmark, name, made }]) => {
      const found = metrics.find((metric) => metric.benchmark === benchmark && metric.name === name)
      return [fact, found === undefined ? undefined : made(found.median)]
    }),
  )

/**
 * What so many payments a second need, each decided and reported once.
 *
 * @param {{ readonly decisions: number, readonly outcomes: number, readonly folded: number, readonly projected: number }} facts figures a
 *   second of one core
 * @param {number} rate payments a second
 */
export const deploymentFor = ({ decisions, outcomes, folded, projected }, rate) => {
  const paymentsPerCell = (FOLDING_SHARE * folded) / EVENTS_PER_PAYMENT
  const cellCount = Math.ceil(rate / paymentsPerCell)
  const perCell = rate / cellCount
  const foldingShare = (EVENTS_PER_PAYMENT * perCell) / folded
  const answeringCores = perCell / decisions + perCell / outcomes
  const deciderCount = Math.ceil(answeringCores / (PLANNED_SHARE - foldingShare))
  const projectorCount = Math.ceil((EVENTS_PER_PAYMENT * perCell) / (PLANNED_SHARE * projected))
  const partitionCount = Math.max(PARTITION_COUNT_MIN, PARTITIONS_PER_PROJECTOR * projectorCount)
  return { cellCount, perCell, foldingShare, answeringCores, deciderCount, projectorCount, partitionCount }
}

const deploymentRow = (facts, rate) => {
  const { cellCount, perCell, foldingShare, answeringCores, deciderCount, projectorCount, partitionCount } = deploymentFor(facts, rate)
  const cells = [
    rate.toLocaleString('en'),
    String(cellCount),
    figure(perCell),
    `${figure(answeringCores)} / (${PLANNED_SHARE} − ${figure(foldingShare)}) → ${deciderCount}`,
    String(projectorCount),
    String(partitionCount),
    `${cellCount * deciderCount} + ${cellCount * projectorCount}`,
  ]
  return `| ${cells.join(' | ')} |`
}

const memoryLine = (metrics) => {
  const points = metrics.filter(({ point }) => point?.axis === 'merchants' && point.line === 'memoryMb')
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined || first === last) return []
  const perMerchantKb = ((last.median - first.median) / (last.point.count - first.point.count)) * KILOBYTES_PER_MEGABYTE
  const perMillionGb = (perMerchantKb * 1_000_000) / KILOBYTES_PER_MEGABYTE ** 2
  return [
    '',
    `Memory (measured, \`growth\`): ${figure(perMerchantKb)} KB for a merchant with a key and a window of three gateways each; a million of them`,
    `in one process: ${figure(perMillionGb)} GB (computed). More windows: their bytes (\`memory\`) times their number.`,
  ]
}

/**
 * The computed part of the sizing guide as lines of Markdown.
 *
 * @param {readonly import('../verdict.mjs').Metric[]} metrics
 */
export const sizingLines = (metrics) => {
  const facts = factsOf(metrics)
  const missing = Object.entries(SOURCES).filter(([fact]) => facts[fact] === undefined)
  if (missing.length > 0)
    return [`Nothing is computed yet: ${missing.map(([, { benchmark }]) => `\`${benchmark}\``).join(', ')} have no stored figure.`]
  return [
    'Measured, a second: ' +
      `${figure(facts.decisions)} decisions (\`decide-50\`) or ${figure(facts.outcomes)} outcomes (\`outcomes-50\`) of an answering core, ` +
      `${figure(facts.folded)} events folded (\`replay\`), ${figure(facts.projected)} events projected (\`projector\`, by its processor time). Computed of that:`,
    '',
    '| Payments a second | Cells | Payments a second and cell | `decide` processes a cell | `projector` processes a cell | Partitions of `payments` a cell | Processes in all |',
    '|---|---|---|---|---|---|---|',
    ...RATES.map((rate) => deploymentRow(facts, rate)),
    ...memoryLine(metrics),
  ]
}
