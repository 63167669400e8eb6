import { BENCHMARKS } from './benchmarks.mjs'
import { coresBusyNow, machineFacts } from './machine.mjs'
import { parseOptions, USAGE } from './options.mjs'
import { metricLines } from './report.mjs'
import { writeResult } from './results.mjs'

const say = (line) => process.stdout.write(`${line}\n`)

/** Of the sizes those that the command line can change. */
const settingsOf = ({ durationMs, repeatCount, eventCount, startEventCount, rowCount }) => ({
  durationMs,
  repeatCount,
  eventCount,
  startEventCount,
  rowCount,
})

/** What the command line asks for: measures, prints a table, keeps the figures. */
export const runBenchmarks = async () => {
  const { isHelp, isSmoke, names, sizes } = parseOptions()
  if (isHelp) return say(USAGE)
  const machine = machineFacts()
  say(`${machine.cpu}, ${machine.coreCount} cores, ${machine.memoryGb} GB, Node ${machine.node}`)
  say(
    `Cores: ${machine.coreCount} for the server (one thread answers, others project and write the log) and the load (a process of its own) together.`,
  )
  const result = { at: new Date().toISOString(), machine, settings: settingsOf(sizes), busyBefore: {}, metrics: [], figures: {} }
  for (const name of names) {
    result.busyBefore[name] = isSmoke ? 0 : await coresBusyNow()
    say(`\n${name}${result.busyBefore[name] < 0.1 ? '' : ` (others keep ${result.busyBefore[name].toFixed(1)} cores busy)`}`)
    const { figures, metrics } = await BENCHMARKS[name](name, sizes)
    result.figures[name] = figures
    result.metrics.push(...metrics)
    for (const line of metricLines(metrics)) say(line)
  }
  say(isSmoke ? '\nEverything runs; these figures say nothing and are not kept.' : `\nWritten to ${writeResult(result)}`)
}
