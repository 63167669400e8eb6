/**
 * Values by a text that says all of each, so that equal ones are kept once. Starts afresh when full: what is in use lives on, and no
 * answer depends on what is kept.
 */
export class Interned<Value> {
  readonly #values: Map<string, Value> = new Map()
  readonly #countMax: number

  constructor(countMax: number) {
    this.#countMax = countMax
  }

  /** The value of the text, made when it is not there. */
  of(text: string, make: () => Value): Value {
    const known = this.#values.get(text)
    if (known !== undefined) return known
    if (this.#values.size >= this.#countMax) this.#values.clear()
    const made = make()
    this.#values.set(text, made)
    return made
  }
}
