import { TupleBuilder, type TupleTable } from '../tuple-index.ts'
import { type CurveTable, CurveTableBuilder } from './curves.ts'
import { blend, flatCurve, type WeightedCurve } from './price-curve.ts'

/** Learned costs by key; the place of a key is the number of its curve. */
export interface CurvesByKey {
  readonly keys: TupleTable
  readonly curves: CurveTable
}

/** What members of each key cost together, by the place of the key: lines as sums, which nearly all are, and ladders one by one. */
export class Prices {
  readonly keys: TupleBuilder
  readonly #lineCount: Int32Array
  readonly #weight: Float64Array
  /** Of one line as it is, of several the sum of each times its weight. */
  readonly #pctBps: Float64Array
  readonly #fixed: Float64Array
  readonly #ladders: Map<number, WeightedCurve[]> = new Map()

  /** For at most so many keys of so many numbers. */
  constructor(width: number, keyCountMax: number) {
    this.keys = new TupleBuilder(width, keyCountMax)
    this.#lineCount = new Int32Array(keyCountMax)
    this.#weight = new Float64Array(keyCountMax)
    this.#pctBps = new Float64Array(keyCountMax)
    this.#fixed = new Float64Array(keyCountMax)
  }

  addLine(place: number, pctBps: number, fixed: number, weight: number): void {
    const lineCount = this.#lineCount[place] ?? 0
    const known = this.#weight[place] ?? 0
    this.#lineCount[place] = lineCount + 1
    this.#weight[place] = known + weight
    if (lineCount === 0) {
      this.#pctBps[place] = pctBps
      this.#fixed[place] = fixed
      return
    }
    const times = lineCount === 1 ? known : 1
    this.#pctBps[place] = (this.#pctBps[place] ?? 0) * times + pctBps * weight
    this.#fixed[place] = (this.#fixed[place] ?? 0) * times + fixed * weight
  }

  addLadder(place: number, ladder: WeightedCurve): void {
    const known = this.#ladders.get(place)
    if (known) known.push(ladder)
    else this.#ladders.set(place, [ladder])
  }

  /** Adds what costs something at another place: all lines there as one, and of its ladders the one with most value. */
  addMembers(place: number, from: number): void {
    const ladder = this.#mainLadder(from)
    if (ladder !== undefined) this.addLadder(place, ladder)
    if (this.#hasLine(from)) this.addLine(place, this.#pctBpsOf(from), this.#fixedOf(from), this.#weight[from] ?? 0)
  }

  /** At the first places what comes first there, a ladder before lines; at all others the mean of all that is there. */
  finish(exactCount: number): CurvesByKey {
    const curves = new CurveTableBuilder(this.keys.count)
    for (let place = 0; place < this.keys.count; place++) {
      const ladders = this.#ladders.get(place)
      if (ladders === undefined) curves.addLine(this.#pctBpsOf(place), this.#fixedOf(place))
      else curves.addCurve(place < exactCount ? (this.#mainLadder(place) ?? this.#line(place)).curve : this.#blended(place, ladders))
    }
    return { keys: this.keys.finish(), curves: curves.finish() }
  }

  #blended(place: number, ladders: readonly WeightedCurve[]): WeightedCurve['curve'] {
    return blend(this.#hasLine(place) ? [...ladders, this.#line(place)] : ladders)
  }

  #hasLine(place: number): boolean {
    return (this.#lineCount[place] ?? 0) > 0
  }

  #line(place: number): WeightedCurve {
    return { curve: flatCurve({ pctBps: this.#pctBpsOf(place), fixed: this.#fixedOf(place) }), weight: this.#weight[place] ?? 0 }
  }

  #pctBpsOf(place: number): number {
    return (this.#pctBps[place] ?? 0) / this.#divisor(place)
  }

  #fixedOf(place: number): number {
    return (this.#fixed[place] ?? 0) / this.#divisor(place)
  }

  #divisor(place: number): number {
    return (this.#lineCount[place] ?? 0) > 1 ? (this.#weight[place] ?? 1) : 1
  }

  /** The first of two with as much value. */
  #mainLadder(place: number): WeightedCurve | undefined {
    return this.#ladders
      .get(place)
      ?.reduce<WeightedCurve | undefined>((most, one) => (most && most.weight >= one.weight ? most : one), undefined)
  }
}
