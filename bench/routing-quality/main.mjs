// `npm run bench:quality`: approvals of the router as a share of an all-knowing router's, in markets that change.
import { parseArgs } from 'node:util'
import { drawsOf } from '../../demo/random.mjs'
import { tableLines } from '../../demo/report.mjs'
import { buildWhenNeeded, installWhenNeeded, requireNode } from '../../tools/setup.mjs'
import { drawnScenario, SCENARIOS } from './scenarios.mjs'

const VARIANTS = [
  { name: 'plain window', features: [] },
  { name: 'default', features: ['elimination'] },
  { name: 'explore-exploit-srv3', features: ['elimination', 'explore-exploit-srv3'] },
  { name: 'self-tuning', features: ['elimination', 'auto-calibration', 'autopilot'] },
]

const USAGE = `npm run bench:quality -- [--seeds N] [--first-seed N] [--drawn N] [--draw-seed N] [--only TEXT] [--url URL]
  --seeds N      runs of each market with different payments (default 40)
  --first-seed N the payments that they begin with (default 1)
  --drawn N      markets drawn at random instead of the eight fixed ones
  --draw-seed N  other markets (default 1)
  --only TEXT    markets with this in their name
  --url URL      through a running service instead of the domain code; its secret in SWITCHYARD_ADMIN_SECRET (default test_admin)
Behind the sign: standard errors. Plain window: the newest 125 outcomes, 5 % hedging. Default: the same with elimination. Then adaptive windows on top, and the default with the self-tuning.`

const say = (line) => process.stdout.write(`${line}\n`)
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length
const shown = ({ share, error }) => `${share.toFixed(4)} ± ${error.toFixed(4)}`

/** Mean of several runs and its standard error. */
const estimateOf = (runs) => {
  const share = mean(runs)
  const variance = runs.reduce((sum, run) => sum + (run - share) ** 2, 0) / Math.max(1, runs.length - 1)
  return { share, error: Math.sqrt(variance / runs.length) }
}

const overMarkets = (estimates) => ({
  share: mean(estimates.map(({ share }) => share)),
  error: Math.hypot(...estimates.map(({ error }) => error)) / estimates.length,
})

const worstOf = (estimates) => estimates.reduce((worst, estimate) => (estimate.share < worst.share ? estimate : worst))

const whole = (name, text, min) => {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < min) throw new Error(`--${name} must be a whole number of at least ${min}, not ${text}`)
  return value
}

const parseOptions = () => {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '40' },
      'first-seed': { type: 'string', default: '1' },
      drawn: { type: 'string', default: '0' },
      'draw-seed': { type: 'string', default: '1' },
      only: { type: 'string', default: '' },
      url: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  return {
    ...values,
    seedCount: whole('seeds', values.seeds, 1),
    firstSeed: whole('first-seed', values['first-seed'], 0),
    drawnCount: whole('drawn', values.drawn, 0),
    drawSeed: whole('draw-seed', values['draw-seed'], 0),
  }
}

const scenariosOf = ({ drawnCount, drawSeed, only }) => {
  const random = drawsOf(drawSeed, 0)
  const drawn = Array.from({ length: drawnCount }, (_, index) => drawnScenario(index + 1, random))
  const scenarios = (drawnCount === 0 ? SCENARIOS : drawn).filter(({ name }) => name.includes(only))
  if (scenarios.length === 0) throw new Error(`no market has ${only} in its name`)
  return scenarios
}

/** A router for each run, by variant and seed. */
const routersOf = async ({ url }) => {
  if (url === undefined) {
    const { domainRouter } = await import('./domain-router.mjs')
    return ({ features }) => domainRouter(features)
  }
  const { httpRouter } = await import('./http-router.mjs')
  const run = Date.now().toString(36)
  let merchantCount = 0
  return ({ features }) =>
    httpRouter(url, process.env.SWITCHYARD_ADMIN_SECRET ?? 'test_admin', `quality_${run}_${merchantCount++}`, features)
}

const measure = async (scenario, { firstSeed, seedCount }, routerOf) => {
  const { approvalShare } = await import('./market.mjs')
  const estimates = []
  for (const variant of VARIANTS) {
    const runs = []
    for (let seed = firstSeed; seed < firstSeed + seedCount; seed++) runs.push(await approvalShare(scenario, seed, await routerOf(variant)))
    estimates.push(estimateOf(runs))
  }
  return estimates
}

const main = async () => {
  const options = parseOptions()
  if (options.help) return say(USAGE)
  const scenarios = scenariosOf(options)
  requireNode()
  installWhenNeeded()
  buildWhenNeeded()
  const routerOf = await routersOf(options)
  const rows = []
  for (const scenario of scenarios) rows.push({ name: scenario.name, estimates: await measure(scenario, options, routerOf) })
  const overall = (name, of) => [name, ...VARIANTS.map((_, index) => shown(of(rows.map(({ estimates }) => estimates[index])))), '', '']
  const lines = rows.map(({ name, estimates }) => {
    const [plain, ours, , tuned] = estimates
    return [name, ...estimates.map(shown), (ours.share - plain.share).toFixed(4), (tuned.share - ours.share).toFixed(4)]
  })
  lines.push(overall('mean', overMarkets), overall('worst', worstOf))
  for (const line of tableLines(
    ['approvals / all-knowing', ...VARIANTS.map(({ name }) => name), 'default - plain', 'tuned - default'],
    lines,
  ))
    say(line)
}

try {
  await main()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
