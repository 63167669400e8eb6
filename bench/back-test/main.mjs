// How often the interval of a back-test holds the truth: `npm run bench:back-test`.
// Ends with an error when it is less than 93 % or more than 97 % of the simulations.
import { coverageOf } from './simulation.mjs'

const SIMULATIONS = Number(process.env['BENCH_SIMULATIONS'] ?? 500)
const PAYMENTS = 3_000
const HEDGING_PERCENTS = [5, 10]
const [LOWEST, HIGHEST] = [0.93, 0.97]
const percent = (share) => `${(100 * share).toFixed(1)} %`

console.log(`${SIMULATIONS} markets of ${PAYMENTS} payments each, back-tested under other settings; intervals of 95 % that hold the truth:`)
let isWrong = false
for (const hedgingPercent of HEDGING_PERCENTS) {
  const figures = coverageOf({ simulations: SIMULATIONS, firstSeed: 1, paymentCount: PAYMENTS, hedgingPercent })
  const { answered, coverage, gainCoverage, halfWidthPp, costCoverage, costChangeCoverage, costHalfWidthShare } = figures
  const half = halfWidthPp.toFixed(2)
  const text = `share of approvals ${percent(coverage)} (± ${half} points), gain ${percent(gainCoverage)}; ${answered} answered`
  console.log(`  ${hedgingPercent} % exploring: ${text}`)
  console.log(`    cost ${percent(costCoverage)} (± ${percent(costHalfWidthShare)} of it), change of cost ${percent(costChangeCoverage)}`)
  if (coverage < LOWEST || coverage > HIGHEST || gainCoverage < LOWEST) isWrong = true
  if (costCoverage < LOWEST || costCoverage > HIGHEST || costChangeCoverage < LOWEST) isWrong = true
}
process.exitCode = isWrong ? 1 : 0
