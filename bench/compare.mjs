// `npm run bench:compare`: holds the newest result against the baseline of its kind of machine and the targets, and fails beyond noise.
// `--store` makes its benchmarks those of that baseline.
import { tableLines } from '../demo/report.mjs'
import { baselineOf, kindOf } from './baseline.mjs'
import { newestResult, readBaselines, storeBaseline } from './results.mjs'
import { compareResults, judgeTargets, NOISE_SHARE } from './verdict.mjs'

const say = (line) => process.stdout.write(`${line}\n`)
const number = (value) => (Number.isNaN(value) ? '–' : value.toFixed(3))
const percent = (value) => (Number.isNaN(value) ? '–' : `${(value * 100).toFixed(1)} %`)

/** When and where the baseline of the benchmarks that both have was measured: what is of another kind of machine is told. */
const origins = (result, { taken }) => {
  const names = new Set(result.metrics.map(({ benchmark }) => benchmark))
  const own = Object.entries(taken).filter(([name]) => names.has(name))
  return [...new Set(own.map(([, { at, machine }]) => `${at} (${kindOf(machine)})`))].join(', ')
}

const sayTargets = (rows) => {
  if (rows.length === 0) return
  const cells = rows.map(({ benchmark, name, median, unit, target, better, status }) => [
    `${benchmark} ${name}`,
    `${better === 'higher' ? '>=' : '<='} ${number(target)} ${unit}`.trim(),
    number(median),
    status,
  ])
  say('')
  for (const line of tableLines(['target', 'bound', 'now', 'verdict'], cells)) say(line)
}

const compare = (result, baseline) => {
  const { rows, isWorse } = compareResults(result, baseline)
  const targets = judgeTargets(result, baseline)
  say(`newest result of ${result.at} (${kindOf(result.machine)}), baseline of ${origins(result, baseline)}`)
  const cells = rows.map((row) => [
    `${row.benchmark} ${row.name}`,
    number(row.before),
    number(row.now),
    percent(-row.lossShare),
    row.status,
  ])
  for (const line of tableLines(['ratio', 'baseline', 'now', 'change', 'verdict'], cells)) say(line)
  sayTargets(targets.rows)
  say(isWorse ? `Worse than the baseline beyond noise (${percent(NOISE_SHARE)}).` : 'Within noise of the baseline, or better.')
  if (targets.isLost) say('A target is lost that the baseline had reached.')
  if (isWorse || targets.isLost) process.exitCode = 1
}

const main = () => {
  const result = newestResult()
  if (result === null) throw new Error('There is no result yet: run `npm run bench` first.')
  if (process.argv.includes('--store')) return say(`Stored as ${storeBaseline(result)}`)
  compare(result, baselineOf(readBaselines(), kindOf(result.machine)))
}

try {
  main()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
