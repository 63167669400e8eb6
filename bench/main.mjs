// `npm run bench [name...]`: measures the system beside a reference in the same run, prints a table, keeps the figures.
import { buildWhenNeeded, bundleAll, installWhenNeeded, requireNode } from '../tools/setup.mjs'
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

const main = async () => {
  const { isHelp, isSmoke, names, sizes } = parseOptions()
  if (isHelp) return say(USAGE)
  requireNode()
  installWhenNeeded()
  buildWhenNeeded()
  await bundleAll()
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

try {
  await main()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
