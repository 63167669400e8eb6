import { type Band, bandEnd } from '../statistics/band.ts'
import { RunningSums, type Sums, sumOf } from '../statistics/sums.ts'
import { crossover, feeErrorShare, type Line, meanErrorBps, relativeErrorBps } from './line.ts'

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

/** Share of the value that may be left out of the error as tiny payments. */
const TINY_GROSS_SHARE_MAX = 0.02
/** Share of their fees by which a line may miss them. */
const TINY_FEE_ERROR_SHARE_MAX = 0.25

/**
 * Whether payments are too small to matter in bps of their amounts, their fees are about right all the same, and the line is right
 * about them on the whole: what it misses single ones by is scatter, and no other price.
 */
const areTiny = (line: Line, below: Sums, all: Sums): boolean =>
  below.sx <= TINY_GROSS_SHARE_MAX * all.sx &&
  feeErrorShare(line, below) <= TINY_FEE_ERROR_SHARE_MAX &&
  Math.abs(meanErrorBps(line, below)) <= GOOD_ERROR_MAX_BPS

/**
 * The error that a line is graded by (cost.md 8.6): over the bands that reach above the crossover, where the share decides the
 * fee; below it any deviation of the fixed part looks large. That excuses tiny payments and nothing else: a line that misses
 * more than them, such as one through a capped fee, is graded over all amounts, and so is a fee that is fixed for all of them.
 */
export const gradedErrorBps = (line: Line, bands: BandSums): number => {
  const [above, below] = [new RunningSums(), new RunningSums()]
  const from = crossover(line)
  for (const [band, sums] of bands) (bandEnd(band) > from ? above : below).add(sums)
  const all = sumOf([above, below])
  const errorOfAll = relativeErrorBps(line, all)
  if (above.n === 0 || below.n === 0) return errorOfAll
  return errorOfAll <= GOOD_ERROR_MAX_BPS || areTiny(line, below, all) ? relativeErrorBps(line, above) : errorOfAll
}
