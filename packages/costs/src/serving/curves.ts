import type { Fee } from '../fit/fitted-cluster.ts'
import type { PriceCurve } from './price-curve.ts'

/** Many price curves by number; plain arrays, which threads can hand over. */
export interface CurveTable {
  /** Where the pieces of each curve begin; one more than curves. */
  readonly pieceFrom: Int32Array
  /** First amount of a piece, minus infinity for the first of a curve. */
  readonly starts: Float64Array
  readonly pctBps: Float64Array
  readonly fixed: Float64Array
}

/** Puts curves one behind the other. */
export const curveTableOf = (curves: readonly PriceCurve[]): CurveTable => {
  const pieceCount = curves.reduce((count, { fees }) => count + fees.length, 0)
  const table = {
    pieceFrom: new Int32Array(curves.length + 1),
    starts: new Float64Array(pieceCount),
    pctBps: new Float64Array(pieceCount),
    fixed: new Float64Array(pieceCount),
  }
  let piece = 0
  curves.forEach(({ starts, fees }, curve) => {
    table.pieceFrom[curve] = piece
    fees.forEach(({ pctBps, fixed }, index) => {
      table.starts[piece] = index === 0 ? Number.NEGATIVE_INFINITY : (starts[index - 1] ?? 0)
      table.pctBps[piece] = pctBps
      table.fixed[piece] = fixed
      piece += 1
    })
  })
  table.pieceFrom[curves.length] = piece
  return table
}

/** The fee of an amount on a curve. */
export const feeOnCurve = ({ pieceFrom, starts, pctBps, fixed }: CurveTable, curve: number, amount: number): Fee => {
  let piece = (pieceFrom[curve + 1] ?? 1) - 1
  const first = pieceFrom[curve] ?? 0
  while (piece > first && amount < (starts[piece] ?? 0)) piece -= 1
  return { pctBps: pctBps[piece] ?? 0, fixed: fixed[piece] ?? 0 }
}
