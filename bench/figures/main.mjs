// Whether figures are what the raw topic says, and replaying gives the same read models: `npm run bench:figures`.
import { compareFigures } from './figures.mjs'

const EVENTS = Number(process.env['BENCH_EVENTS'] ?? 1_000_000)

const { isCountedAlike, differences, replayMs } = await compareFigures({ seed: 1, eventCount: EVENTS })
console.log(`a day of ${EVENTS} random events: figures ${isCountedAlike ? 'equal' : 'DIFFER FROM'} those counted from the raw topic`)
console.log(
  `replayed in ${Math.round(replayMs / 1_000)} s: ${differences.length === 0 ? 'the same read models' : `differences in ${differences.join(', ')}`}`,
)
process.exitCode = isCountedAlike && differences.length === 0 ? 0 : 1
