import { cpuSecondsOf, untilIdle } from './machine.mjs'
import { summaryOf } from './statistics.mjs'

const figuresOf = (runs) => ({
  perSecond: summaryOf(runs.map(({ perSecond }) => perSecond)),
  p50Ms: summaryOf(runs.map(({ p50Ms }) => p50Ms)),
  p99Ms: summaryOf(runs.map(({ p99Ms }) => p99Ms)),
  clientCoreShare: summaryOf(runs.map(({ clientCoreShare }) => clientCoreShare)),
})

/** Processor time of a process for each answer of a run, in microseconds, with what it did behind the answers; not a number where it can't be read. */
const cpuUsOf = (pid, before, { answeredCount }) => {
  const after = cpuSecondsOf(pid)
  return before === null || after === null ? Number.NaN : ((after - before) * 1e6) / answeredCount
}

const ratiosOf = (systemRuns, referenceRuns, field) => summaryOf(systemRuns.map((run, slot) => run[field] / referenceRuns[slot][field]))

/**
 * Runs the system and its reference in turns, so that whatever the machine does meanwhile meets both, and relates each run of the
 * system to the run of the reference next to it. The first turn warms up and does not count.
 *
 * @param {{ readonly repeatCount: number, readonly system: { readonly pid: number, readonly run: () => Promise<any> },
 *   readonly reference: { readonly pid: number, readonly run: () => Promise<any> } }} sides
 */
export const alternate = async ({ repeatCount, system, reference }) => {
  const systemRuns = []
  const referenceRuns = []
  const settledMs = []
  const cpuUs = []
  for (let turn = 0; turn <= repeatCount; turn += 1) {
    const cpuBefore = cpuSecondsOf(system.pid)
    const measured = await system.run()
    const idleMs = await untilIdle(system.pid)
    const spentUs = cpuUsOf(system.pid, cpuBefore, measured)
    const compared = await reference.run()
    await untilIdle(reference.pid)
    if (turn === 0) continue
    systemRuns.push(measured)
    referenceRuns.push(compared)
    settledMs.push(idleMs)
    cpuUs.push(spentUs)
  }
  return {
    system: figuresOf(systemRuns),
    reference: figuresOf(referenceRuns),
    settledMs: summaryOf(settledMs),
    cpuUs: summaryOf(cpuUs),
    throughputRatio: ratiosOf(systemRuns, referenceRuns, 'perSecond'),
    tailRatio: ratiosOf(systemRuns, referenceRuns, 'p99Ms'),
  }
}
