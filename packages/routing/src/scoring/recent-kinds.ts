/** Kinds of which what is known is kept; a merchant's payments of a moment are of a few. */
const RECENT_COUNT_MAX = 8

/** What is known of the kinds that were asked for last: comparing takes less time than finding out. No answer depends on what is kept. */
export class RecentKinds<Kind, Known extends { readonly kind: Kind }> {
  readonly #isAlike: (a: Kind, b: Kind) => boolean
  readonly #find: (kind: Kind) => Known
  /** Nearly always asked for again: looked at before the others, which lie elsewhere in memory. */
  #last: Known | undefined
  /** The one that was used last comes first. */
  readonly #recent: Known[] = []

  constructor(isAlike: (a: Kind, b: Kind) => boolean, find: (kind: Kind) => Known) {
    this.#isAlike = isAlike
    this.#find = find
  }

  /** What is known of this kind, or of one like it. */
  of(kind: Kind): Known {
    const last = this.#last
    if (last !== undefined && this.#isAlike(last.kind, kind)) return last
    const known = this.#recall(kind)
    this.#last = known
    return known
  }

  #recall(kind: Kind): Known {
    const recent = this.#recent
    const index = recent.findIndex((one) => this.#isAlike(one.kind, kind))
    const [known, first] = [recent[index], recent[0]]
    if (known === undefined || first === undefined) return this.#add(kind)
    recent[index] = first
    recent[0] = known
    return known
  }

  #add(kind: Kind): Known {
    const found = this.#find(kind)
    if (this.#recent.unshift(found) > RECENT_COUNT_MAX) this.#recent.pop()
    return found
  }
}
