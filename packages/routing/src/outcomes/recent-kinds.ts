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
  readonly #recent: Recent<Kind, Made>[] = []

  constructor(isAlike: (a: Kind, b: Kind) => boolean, make: (kind: Kind) => Made) {
    this.#isAlike = isAlike
    this.#make = make
  }

  /** What is made of this kind, or of one like it. */
  of(kind: Kind): Made {
    const recent = this.#recent
    const index = recent.findIndex((one) => this.#isAlike(one.kind, kind))
    const [known, first] = [recent[index], recent[0]]
    if (known === undefined || first === undefined) return this.#add(kind)
    recent[index] = first
    recent[0] = known
    return known.made
  }

  #add(kind: Kind): Made {
    const made = this.#make(kind)
    if (this.#recent.unshift({ kind, made }) > RECENT_COUNT_MAX) this.#recent.pop()
    return made
  }
}
