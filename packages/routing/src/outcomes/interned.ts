/** So many times as many others as are kept are made before it starts afresh: while more are in use than fit, those that fit are still found. */
const OTHERS_MAX_FACTOR = 4

/**
 * Values by a text that says all of each, so that equal ones are kept once. When it is full, others are made each time that they are
 * asked for, and after many of them it starts afresh: what is in use lives on, and no answer depends on what is kept.
 */
export class Interned<Value> {
  readonly #values: Map<string, Value> = new Map()
  readonly #countMax: number
  #otherCount = 0

  constructor(countMax: number) {
    this.#countMax = countMax
  }

  /** The value of the text, made when it is not there. */
  of(text: string, make: () => Value): Value {
    const known = this.#values.get(text)
    if (known !== undefined) return known
    const made = make()
    if (this.#hasRoom()) this.#values.set(text, made)
    return made
  }

  #hasRoom(): boolean {
    if (this.#values.size < this.#countMax) return true
    this.#otherCount += 1
    if (this.#otherCount <= OTHERS_MAX_FACTOR * this.#countMax) return false
    this.#values.clear()
    this.#otherCount = 0
    return true
  }
}
