import { cpuSecondsOf, untilIdle } from './machine.mjs'
import { median, summaryOf } from './statistics.mjs'

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

/** Runs while another process stands still: what that one has yet to do behind its answers would take time from the run. */
const whileHeld = async (pid, run) => {
  process.kill(pid, 'SIGSTOP')
  try {
    return await run()
  } finally {
    process.kill(pid, 'SIGCONT')
  }
}

const middleOf = (rounds) => ({
  perSecond: median(rounds.map(({ perSecond }) => perSecond)),
  p50Ms: median(rounds.map(({ p50Ms }) => p50Ms)),
  p99Ms: median(rounds.map(({ p99Ms }) => p99Ms)),
  clientCoreShare: median(rounds.map(({ clientCoreShare }) => clientCoreShare)),
  answeredCount: rounds.reduce((sum, { answeredCount }) => sum + answeredCount, 0),
})

/** A turn of two kinds of requests to one process, which comes to rest between them. */
const turnOfOneProcess = async ({ system, reference }) => {
  const cpuBefore = cpuSecondsOf(system.pid)
  const measured = await system.run()
  const settledMs = await untilIdle(system.pid)
  const cpuUs = cpuUsOf(system.pid, cpuBefore, measured)
  const compared = await reference.run()
  await untilIdle(system.pid)
  return { measured, compared, settledMs, cpuUs }
}

/** A turn of two processes, in rounds of both that are so short that a host has hardly changed its speed in between. */
const turnOfTwoProcesses = async ({ system, reference, roundCount }) => {
  const cpuBefore = cpuSecondsOf(system.pid)
  const systemRounds = []
  const referenceRounds = []
  for (let round = 0; round < roundCount; round += 1) {
    systemRounds.push(await whileHeld(reference.pid, system.run))
    referenceRounds.push(await whileHeld(system.pid, reference.run))
  }
  const measured = middleOf(systemRounds)
  const settledMs = await untilIdle(system.pid)
  const cpuUs = cpuUsOf(system.pid, cpuBefore, measured)
  await untilIdle(reference.pid)
  return { measured, compared: middleOf(referenceRounds), settledMs, cpuUs }
}

/**
 * Runs the system and its reference in turns, so that whatever the machine does meanwhile meets both, and relates each turn of the system to
 * that of the reference beside it. A turn has the medians of its rounds. The first turns warm up and do not count: code that runs beside the answers,
 * and seldom, is still being compiled for half a minute, by a thread that takes its time from both.
 *
 * @param {{ readonly repeatCount: number, readonly warmingCount: number, readonly roundCount?: number,
 *   readonly system: { readonly pid: number, readonly run: () => Promise<any> },
 *   readonly reference: { readonly pid: number, readonly run: () => Promise<any> } }} sides
 */
export const alternate = async ({ repeatCount, warmingCount, roundCount = 1, system, reference }) => {
  const turnOf = system.pid === reference.pid ? turnOfOneProcess : turnOfTwoProcesses
  const turns = []
  for (let turn = 0; turn < warmingCount + repeatCount; turn += 1) turns.push(await turnOf({ system, reference, roundCount }))
  const measuredTurns = turns.slice(warmingCount)
  const systemRuns = measuredTurns.map(({ measured }) => measured)
  const referenceRuns = measuredTurns.map(({ compared }) => compared)
  return {
    system: figuresOf(systemRuns),
    reference: figuresOf(referenceRuns),
    settledMs: summaryOf(measuredTurns.map(({ settledMs }) => settledMs)),
    cpuUs: summaryOf(measuredTurns.map(({ cpuUs }) => cpuUs)),
    throughputRatio: ratiosOf(systemRuns, referenceRuns, 'perSecond'),
    tailRatio: ratiosOf(systemRuns, referenceRuns, 'p99Ms'),
  }
}
