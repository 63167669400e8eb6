/** Kinds beside the last one of which what is known is kept; a merchant's payments of a moment are of a few. */
const OTHER_COUNT_MAX = 7

/** What is known of the kinds that were asked for last: comparing takes less time than finding out. No answer depends on what is kept. */
export class RecentKinds<Kind, Known extends { readonly kind: Kind }> {
  readonly #isAlike: (a: Kind, b: Kind) => boolean
  readonly #find: (kind: Kind) => Known
  /** Nearly always asked for again: looked at before the others, which lie elsewhere in memory. */
  #last: Known | undefined
  /** The newest first; made when there is a second kind, which most merchants never have. */
  #others: Known[] | undefined

  constructor(isAlike: (a: Kind, b: Kind) => boolean, find: (kind: Kind) => Known) {
    this.#isAlike = isAlike
    this.#find = find
  }

  /** What is known of this kind, or of one like it. */
  of(kind: Kind): Known {
    const last = this.#last
    if (last !== undefined && this.#isAlike(last.kind, kind)) return last
    const known = last === undefined ? this.#find(kind) : this.#inPlaceOf(last, kind)
    this.#last = known
    return known
  }

  /** The last one changes places with one of the others, or stands before them. */
  #inPlaceOf(last: Known, kind: Kind): Known {
    this.#others ??= []
    const others = this.#others
    const index = others.findIndex((one) => this.#isAlike(one.kind, kind))
    const known = others[index]
    if (known !== undefined) {
      others[index] = last
      return known
    }
    if (others.unshift(last) > OTHER_COUNT_MAX) others.pop()
    return this.#find(kind)
  }
}
