// How often experiments are wrong, and how often they find what is there: `npm run bench:experiments`.
// Ends with an error when the always-valid test is wrong in more than 5 %, or power is off by more than 3 points.
import { requiredSampleSize } from '@switchyard/analytics'
import { falsePositives, falseStops, foundEffects, paymentsUntilFound } from './simulation.mjs'

const EXPERIMENTS = Number(process.env['BENCH_EXPERIMENTS'] ?? 2_000)
const LOOK_EVERY = 100
const PAYMENTS = 20_000
const TUNED_SIZE = 5_000
const LEVEL = 0.05
const POWER_TOLERANCE = 0.03
const failures = []
const percent = (share) => `${(100 * share).toFixed(1)} %`

const MARKETS = [
  { baseRate: 0.9, share: 0.2 },
  { baseRate: 0.75, share: 0.49 },
  { baseRate: 0.97, share: 0.05 },
]

console.log(`${EXPERIMENTS} experiments with equal arms of ${PAYMENTS} payments, read after every ${LOOK_EVERY}; called different:`)
for (const [index, market] of MARKETS.entries()) {
  const looked = { ...market, experiments: EXPERIMENTS, payments: PAYMENTS, lookEvery: LOOK_EVERY, tunedSize: TUNED_SIZE }
  const { fixedRate, sequentialRate } = falsePositives({ ...looked, seed: 1 + index })
  const stops = falseStops({ ...looked, guardrailThresholdPp: 3, seed: 11 + index })
  const name = `${percent(market.baseRate)} approved, ${percent(market.share)} in the variant`
  console.log(
    `  ${name}: fixed test ${percent(fixedRate)}, always-valid ${percent(sequentialRate)}; stopped at a loss that is allowed ${percent(stops)}`,
  )
  if (sequentialRate > LEVEL || stops > LEVEL) failures.push(`${name}: more than ${percent(LEVEL)} are wrong`)
}

console.log(`\n${EXPERIMENTS} experiments with a real effect; found by the fixed test, read once:`)
for (const [index, { baseRate, share, effectPp, part }] of [
  { baseRate: 0.9, share: 0.2, effectPp: 2, part: 1 },
  { baseRate: 0.9, share: 0.2, effectPp: 2, part: 0.5 },
  { baseRate: 0.75, share: 0.49, effectPp: 3, part: 1 },
  { baseRate: 0.75, share: 0.49, effectPp: -3, part: 0.7 },
].entries()) {
  const required = requiredSampleSize({ baseRate, effectPp }, share)
  const payments = Math.ceil(required * part)
  const market = { baseRate, share, effectPp, experiments: EXPERIMENTS, seed: 21 + index }
  const { foundRate, computedPower } = foundEffects({ ...market, payments })
  const name = `${percent(baseRate)} approved, ${effectPp} points, ${payments} payments`
  console.log(`  ${name}: ${percent(foundRate)}, computed ${percent(computedPower)}`)
  if (Math.abs(foundRate - computedPower) > POWER_TOLERANCE) failures.push(`${name}: power is off by more than 3 points`)
  if (part !== 1) continue
  const late = paymentsUntilFound({ ...market, payments: 4 * required, lookEvery: LOOK_EVERY, tunedSize: required })
  const mean = Math.round(late.meanPayments ?? 0)
  console.log(`    always-valid, read after every ${LOOK_EVERY} of ${4 * required}: ${percent(late.foundRate)}, after ${mean} on average`)
}

for (const failure of failures) console.error(failure)
process.exitCode = failures.length === 0 ? 0 : 1
