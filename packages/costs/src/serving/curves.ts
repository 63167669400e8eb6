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

const GROWTH = 2

const grown = (numbers: Float64Array, capacity: number): Float64Array => {
  const larger = new Float64Array(capacity)
  larger.set(numbers)
  return larger
}

/** As many of the first numbers as are used; the same array when all are. */
const trimmed = (numbers: Float64Array, count: number): Float64Array => (count === numbers.length ? numbers : numbers.slice(0, count))

/** Puts curves one behind the other. */
export class CurveTableBuilder {
  readonly #pieceFrom: Int32Array
  #starts: Float64Array
  #pctBps: Float64Array
  #fixed: Float64Array
  #curveCount = 0
  #pieceCount = 0

  /** For just so many curves; nearly all are one piece. */
  constructor(curveCount: number) {
    this.#pieceFrom = new Int32Array(curveCount + 1)
    this.#starts = new Float64Array(curveCount)
    this.#pctBps = new Float64Array(curveCount)
    this.#fixed = new Float64Array(curveCount)
  }

  /** The same fee for all amounts. */
  addLine(pctBps: number, fixed: number): void {
    this.#addPiece(Number.NEGATIVE_INFINITY, pctBps, fixed)
    this.#endCurve()
  }

  addCurve({ starts, fees }: PriceCurve): void {
    for (const [index, { pctBps, fixed }] of fees.entries())
      this.#addPiece(index === 0 ? Number.NEGATIVE_INFINITY : (starts[index - 1] ?? 0), pctBps, fixed)
    this.#endCurve()
  }

  finish(): CurveTable {
    return {
      pieceFrom: this.#pieceFrom,
      starts: trimmed(this.#starts, this.#pieceCount),
      pctBps: trimmed(this.#pctBps, this.#pieceCount),
      fixed: trimmed(this.#fixed, this.#pieceCount),
    }
  }

  #addPiece(start: number, pctBps: number, fixed: number): void {
    if (this.#pieceCount === this.#starts.length) this.#growPieces()
    this.#starts[this.#pieceCount] = start
    this.#pctBps[this.#pieceCount] = pctBps
    this.#fixed[this.#pieceCount] = fixed
    this.#pieceCount += 1
  }

  #endCurve(): void {
    this.#curveCount += 1
    this.#pieceFrom[this.#curveCount] = this.#pieceCount
  }

  #growPieces(): void {
    const capacity = GROWTH * this.#pieceCount
    this.#starts = grown(this.#starts, capacity)
    this.#pctBps = grown(this.#pctBps, capacity)
    this.#fixed = grown(this.#fixed, capacity)
  }
}

/** The fee of an amount on a curve. */
export const feeOnCurve = ({ pieceFrom, starts, pctBps, fixed }: CurveTable, curve: number, amount: number): Fee => {
  let piece = (pieceFrom[curve + 1] ?? 1) - 1
  const first = pieceFrom[curve] ?? 0
  while (piece > first && amount < (starts[piece] ?? 0)) piece -= 1
  return { pctBps: pctBps[piece] ?? 0, fixed: fixed[piece] ?? 0 }
}
