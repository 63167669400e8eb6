/**
 * All that is kept of payments of value x and fee y, with u = 1/x (cost.md 7): enough for a line through them and for its
 * errors, in money and relative to the values. Sums of two sets of payments are the sums of both.
 */
export interface Sums {
  readonly n: number
  readonly sx: number
  readonly sy: number
  readonly sxx: number
  readonly sxy: number
  readonly syy: number
  readonly su: number
  readonly suu: number
  readonly suy: number
  readonly suuy: number
  readonly syyuu: number
}

/** Sums that grow. */
export class RunningSums implements Sums {
  n = 0
  sx = 0
  sy = 0
  sxx = 0
  sxy = 0
  syy = 0
  su = 0
  suu = 0
  suy = 0
  suuy = 0
  syyuu = 0

  /** `gross` above zero. */
  addPayment(gross: number, fee: number): void {
    const u = 1 / gross
    this.n += 1
    this.sx += gross
    this.sy += fee
    this.sxx += gross * gross
    this.sxy += gross * fee
    this.syy += fee * fee
    this.su += u
    this.suu += u * u
    this.suy += u * fee
    this.suuy += u * u * fee
    this.syyuu += u * u * fee * fee
  }

  add(sums: Sums): this {
    this.n += sums.n
    this.sx += sums.sx
    this.sy += sums.sy
    this.sxx += sums.sxx
    this.sxy += sums.sxy
    this.syy += sums.syy
    this.su += sums.su
    this.suu += sums.suu
    this.suy += sums.suy
    this.suuy += sums.suuy
    this.syyuu += sums.syyuu
    return this
  }
}

/** The sums of all. */
export const sumOf = (parts: Iterable<Sums>): Sums => {
  const total = new RunningSums()
  for (const part of parts) total.add(part)
  return total
}
