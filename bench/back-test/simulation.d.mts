/** How often the intervals of answered back-tests hold the truth; shares from 0 to 1. */
export const coverageOf: (options: {
  readonly simulations: number
  readonly firstSeed: number
  readonly paymentCount: number
  readonly hedgingPercent: number
}) => { readonly answered: number; readonly coverage: number; readonly gainCoverage: number; readonly halfWidthPp: number; readonly costCoverage: number; readonly costChangeCoverage: number; readonly costHalfWidthShare: number }
