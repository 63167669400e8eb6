/** What machines have in common that have the same ratios: bare servers of one are twice as fast as those of another. */
export const kindOf = ({ cpu, coreCount }) => `${cpu}, ${coreCount} cores`

const EMPTY = { taken: {}, metrics: [] }

/** The first baseline, and of the second one the benchmarks that the first lacks. */
const completedBy = (first, second) => {
  const isLacking = ({ benchmark }) => first.taken[benchmark] === undefined
  return { taken: { ...second.taken, ...first.taken }, metrics: [...first.metrics, ...second.metrics.filter(isLacking)] }
}

/**
 * What a result of this kind of machine is held against: the figures of its own kind, and where there are none those of the first
 * kind that has some.
 *
 * @param {import('./baseline.mjs').Baselines} baselines
 * @param {string} kind
 */
export const baselineOf = (baselines, kind) => Object.values(baselines).reduce(completedBy, baselines[kind] ?? EMPTY)

/**
 * Every benchmark once, of the first kind of machine that has it: what stands on the page.
 *
 * @param {import('./baseline.mjs').Baselines} baselines
 */
export const mainBaseline = (baselines) => Object.values(baselines).reduce(completedBy, EMPTY)

/**
 * The baselines with the benchmarks of a result in the place of those of its kind of machine: a run of some of them leaves the others
 * as they are. When and where each was measured stands beside it.
 *
 * @param {import('./baseline.mjs').Baselines} baselines
 * @param {import('./baseline.mjs').StoredResult} result
 */
export const withResult = (baselines, { at, machine, settings, busyBefore = {}, metrics }) => {
  const kind = kindOf(machine)
  const { taken, metrics: stored } = baselines[kind] ?? EMPTY
  const measured = new Set(metrics.map(({ benchmark }) => benchmark))
  const takenNow = Object.fromEntries(
    [...measured].map((benchmark) => [benchmark, { at, machine, settings, busyBefore: busyBefore[benchmark] ?? null }]),
  )
  const kept = stored.filter(({ benchmark }) => !measured.has(benchmark))
  return { ...baselines, [kind]: { taken: { ...taken, ...takenNow }, metrics: [...kept, ...metrics] } }
}
