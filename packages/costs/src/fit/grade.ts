import { type Band, bandEnd } from '../statistics/band.ts'
import { RunningSums, type Sums, sumOf } from '../statistics/sums.ts'
import { crossover, type Line, relativeErrorBps } from './line.ts'

/** Payments that a grade other than THIN needs. */
export const GRADED_COUNT_MIN = 200
/** Largest error of a GOOD line, bps of the value. */
export const GOOD_ERROR_MAX_BPS = 15

/** GOOD: enough payments on a line. THIN: too few of them. NON_LINEAR: enough, and no line fits. */
export type Verdict = 'GOOD' | 'THIN' | 'NON_LINEAR'

/** Payments by the size of their amount. */
export type BandSums = ReadonlyMap<Band, Sums>

/** Grade of a line over so many payments (cost.md 8.8 with the thresholds of contract/README.md 22). */
export const gradeOf = (count: number, errorBps: number): Verdict => {
  if (count < GRADED_COUNT_MIN) return 'THIN'
  return errorBps <= GOOD_ERROR_MAX_BPS ? 'GOOD' : 'NON_LINEAR'
}

/**
 * The error that a line is graded by (cost.md 8.6): over the bands that reach above the crossover, where the share decides the
 * fee; below it any deviation of the fixed part looks large. A fee that is fixed for all its amounts is graded over all of them.
 */
export const gradedErrorBps = (line: Line, bands: BandSums): number => {
  const above = new RunningSums()
  const from = crossover(line)
  for (const [band, sums] of bands) if (bandEnd(band) > from) above.add(sums)
  return relativeErrorBps(line, above.n > 0 ? above : sumOf(bands.values()))
}
