const COEFFICIENTS: readonly number[] = [1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592]
const SCALE = 0.3275911

/** Complement of the error function, for x >= 0; off by less than 1.5e-7 (Abramowitz and Stegun 7.1.26, analytics.md 6.5). */
export const erfc = (x: number): number => {
  const t = 1 / (1 + SCALE * x)
  return COEFFICIENTS.reduce((sum, coefficient) => (sum + coefficient) * t, 0) * Math.exp(-x * x)
}

/** Probability that a standard normal variable is at most z. */
export const normalCdf = (z: number): number => (z < 0 ? erfc(-z / Math.SQRT2) / 2 : 1 - erfc(z / Math.SQRT2) / 2)

/** Probability that a standard normal variable is further from 0 than z. */
export const twoSided = (z: number): number => erfc(Math.abs(z) / Math.SQRT2)
