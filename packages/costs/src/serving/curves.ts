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

const CAPACITY_MIN = 64
const GROWTH = 2

const grown = <Numbers extends Int32Array | Float64Array>(numbers: Numbers, empty: Numbers): Numbers => {
  empty.set(numbers)
  return empty
}

/** Puts curves one behind the other. */
export class CurveTableBuilder {
  #pieceFrom: Int32Array = new Int32Array(CAPACITY_MIN)
  #starts: Float64Array = new Float64Array(CAPACITY_MIN)
  #pctBps: Float64Array = new Float64Array(CAPACITY_MIN)
  #fixed: Float64Array = new Float64Array(CAPACITY_MIN)
  #curveCount = 0
  #pieceCount = 0

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
      pieceFrom: this.#pieceFrom.slice(0, this.#curveCount + 1),
      starts: this.#starts.slice(0, this.#pieceCount),
      pctBps: this.#pctBps.slice(0, this.#pieceCount),
      fixed: this.#fixed.slice(0, this.#pieceCount),
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
    if (this.#curveCount === this.#pieceFrom.length) this.#pieceFrom = grown(this.#pieceFrom, new Int32Array(GROWTH * this.#curveCount))
    this.#pieceFrom[this.#curveCount] = this.#pieceCount
  }

  #growPieces(): void {
    const capacity = GROWTH * this.#pieceCount
    this.#starts = grown(this.#starts, new Float64Array(capacity))
    this.#pctBps = grown(this.#pctBps, new Float64Array(capacity))
    this.#fixed = grown(this.#fixed, new Float64Array(capacity))
  }
}

/** The fee of an amount on a curve. */
export const feeOnCurve = ({ pieceFrom, starts, pctBps, fixed }: CurveTable, curve: number, amount: number): Fee => {
  let piece = (pieceFrom[curve + 1] ?? 1) - 1
  const first = pieceFrom[curve] ?? 0
  while (piece > first && amount < (starts[piece] ?? 0)) piece -= 1
  return { pctBps: pctBps[piece] ?? 0, fixed: fixed[piece] ?? 0 }
}
