/** Places for lists, a power of two. */
const PLACE_COUNT = 256

const isSame = (one: readonly string[], other: readonly string[]): boolean => {
  if (one.length !== other.length) return false
  for (let index = 0; index < one.length; index++) if (one[index] !== other[index]) return false
  return true
}

/** As `RecentTexts` of the kernel, for lists of gateways: a merchant asks for the same few again and again. Nobody may change them. */
export class RecentLists {
  readonly #lists: (readonly string[])[] = new Array<readonly string[]>(PLACE_COUNT).fill([])

  /** A list with the same texts in the same order. */
  of(list: readonly string[]): readonly string[] {
    const [first = ''] = list
    const place =
      (list.length + 31 * first.length + 127 * first.charCodeAt(0) + 523 * first.charCodeAt(first.length - 1)) & (PLACE_COUNT - 1)
    const known = this.#lists[place] ?? []
    if (isSame(known, list)) return known
    this.#lists[place] = list
    return list
  }
}
