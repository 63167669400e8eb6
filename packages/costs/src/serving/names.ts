import { UNKNOWN } from '../tuple-index.ts'

/** The number of the first text. */
export const FIRST_ID = 1
/** Spellings that are remembered; when there are more, all are forgotten. */
const SPELLING_COUNT_MAX = 4_096

/** Numbers texts, so that keys of texts become keys of small numbers. */
export class Names {
  readonly #ids: Map<string, number> = new Map()
  readonly #texts: string[] = []
  readonly #spellings: Map<string, number> = new Map()

  constructor(texts: readonly string[] = []) {
    for (const text of texts) this.add(text)
  }

  /** In the order of their numbers. */
  get texts(): readonly string[] {
    return this.#texts
  }

  /** The number of a text, a new one when it has none. */
  add(text: string): number {
    const known = this.#ids.get(text)
    if (known !== undefined) return known
    const id = this.#texts.push(text) - 1 + FIRST_ID
    this.#ids.set(text, id)
    return id
  }

  /** {@link UNKNOWN} for a text without one. */
  of(text: string): number {
    return this.#ids.get(text) ?? UNKNOWN
  }

  /** The number of what a spelling means, which is asked once: payments spell the same few things the same few ways. */
  ofSpelling(spelling: string, meaningOf: (spelling: string) => string): number {
    const known = this.#spellings.get(spelling)
    if (known !== undefined) return known
    if (this.#spellings.size >= SPELLING_COUNT_MAX) this.#spellings.clear()
    const id = this.of(meaningOf(spelling))
    this.#spellings.set(spelling, id)
    return id
  }

  textOf(id: number): string {
    return this.#texts[id - FIRST_ID] ?? ''
  }
}
