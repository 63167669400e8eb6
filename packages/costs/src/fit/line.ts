import type { Sums } from '../statistics/sums.ts'

/** Basis points in one. */
export const BPS = 10_000
/** Stands for an error that is unknown. */
export const ERROR_UNKNOWN_BPS = 999_999
/** Two-sided 95 % of a normal distribution. */
const Z_95 = 1.96
/** Amounts that differ by less than rounding can't tell a slope: of few payments this share of their squares. */
const SPREAD_MIN = 1e-12
/** Each further payment that is added to the sums may be rounded once more: what that can come to at most, per payment. */
const ROUNDING_MAX = 2 * Number.EPSILON

/** A price: `fee = slope * amount + fixed`, in major units. */
export interface Line {
  readonly slope: number
  readonly fixed: number
}

const spreadOf = ({ n, sx, sxx }: Sums): number => {
  const spread = n * sxx - sx * sx
  return spread > Math.max(SPREAD_MIN, ROUNDING_MAX * n) * n * sxx ? spread : 0
}

/** Ordinary least squares over all payments (cost.md 8.3); undefined when their amounts do not differ. */
export const fitLine = (sums: Sums): Line | undefined => {
  const spread = spreadOf(sums)
  if (spread === 0) return undefined
  const slope = (sums.n * sums.sxy - sums.sx * sums.sy) / spread
  return { slope, fixed: (sums.sy - slope * sums.sx) / sums.n }
}

/** Share of the variance of the fees that the line explains (cost.md 8.4); NaN when the fees do not differ. */
export const explainedShare = (sums: Sums): number => {
  const covariance = sums.n * sums.sxy - sums.sx * sums.sy
  return (covariance * covariance) / (spreadOf(sums) * (sums.n * sums.syy - sums.sy * sums.sy))
}

/** Root mean square of the error relative to the value of each payment, bps (cost.md 8.6). */
export const relativeErrorBps = ({ slope, fixed }: Line, sums: Sums): number => {
  if (sums.n === 0) return ERROR_UNKNOWN_BPS
  const squares =
    fixed * fixed * sums.suu +
    sums.n * slope * slope +
    sums.syyuu -
    2 * fixed * sums.suuy -
    2 * slope * sums.suy +
    2 * fixed * slope * sums.su
  return Math.sqrt(Math.max(0, squares) / sums.n) * BPS
}

/** Mean of the errors relative to the value of each payment, bps; above zero where fees are higher than the line. */
export const meanErrorBps = ({ slope, fixed }: Line, { n, su, suy }: Sums): number => (n === 0 ? 0 : ((suy - fixed * su) / n - slope) * BPS)

/** Sum of the squared errors in money. */
const squaredError = ({ slope, fixed }: Line, { syy, sy, sxy }: Sums): number => Math.max(0, syy - fixed * sy - slope * sxy)

/** Root mean square of the error in money as a share of that of the fees; `sums` may be of other payments than the line's own. */
export const feeErrorShare = ({ slope, fixed }: Line, { n, sx, sy, sxx, sxy, syy }: Sums): number => {
  const squares = syy - 2 * fixed * sy - 2 * slope * sxy + n * fixed * fixed + 2 * fixed * slope * sx + slope * slope * sxx
  return Math.sqrt(Math.max(0, squares) / syy)
}

/** Standard errors of the two parts of a line: of the share in bps, of the fixed part in major units; `sums` of more than two payments. */
export const standardErrors = (line: Line, sums: Sums): { readonly slopeBps: number; readonly fixed: number } => {
  const variance = squaredError(line, sums) / (sums.n - 2) / spreadOf(sums)
  return { slopeBps: Math.sqrt(variance * sums.n) * BPS, fixed: Math.sqrt(variance * sums.sxx) }
}

/** Half width of the 95 % interval of the slope, bps (cost.md 8.7). */
export const slopeErrorBps = (line: Line, sums: Sums): number =>
  sums.n <= 2 || spreadOf(sums) === 0 ? ERROR_UNKNOWN_BPS : Z_95 * standardErrors(line, sums).slopeBps

/** Amount at which the share and the fixed part cost the same, major units; 0 when one of them is not positive (cost.md 8.5). */
export const crossover = ({ slope, fixed }: Line): number => (slope > 0 && fixed > 0 ? fixed / slope : 0)
