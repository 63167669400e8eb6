/** Kinds of which what was made is kept; a merchant's payments of a moment are of a few. */
const RECENT_COUNT_MAX = 8

interface Recent<Kind, Made> {
  readonly kind: Kind
  readonly made: Made
}

/** What is made of a kind, kept for the kinds that were asked for last: comparing takes less time than making. No answer depends on what is kept. */
export class RecentKinds<Kind, Made> {
  readonly #isAlike: (a: Kind, b: Kind) => boolean
  readonly #make: (kind: Kind) => Made
  /** The one that was used last comes first. */
  #recent: readonly Recent<Kind, Made>[] = []

  constructor(isAlike: (a: Kind, b: Kind) => boolean, make: (kind: Kind) => Made) {
    this.#isAlike = isAlike
    this.#make = make
  }

  /** What is made of this kind, or of one like it. */
  of(kind: Kind): Made {
    const index = this.#recent.findIndex((recent) => this.#isAlike(recent.kind, kind))
    const known = this.#recent[index]
    if (index === 0 && known !== undefined) return known.made
    const found = known ?? { kind, made: this.#make(kind) }
    this.#recent = [found, ...this.#recent.filter((recent) => recent !== known)].slice(0, RECENT_COUNT_MAX)
    return found.made
  }
}
