import { isSameList } from '@switchyard/routing'

/** Places for lists, a power of two. */
const PLACE_COUNT = 256

/** As `RecentTexts`, for lists of gateways: a merchant asks for the same few again and again. Nobody may change them. */
export class RecentLists {
  readonly #lists: (readonly string[])[] = new Array<readonly string[]>(PLACE_COUNT).fill([])

  /** A list with the same texts in the same order. */
  of(list: readonly string[]): readonly string[] {
    const [first = ''] = list
    const place =
      (list.length + 31 * first.length + 127 * first.charCodeAt(0) + 523 * first.charCodeAt(first.length - 1)) & (PLACE_COUNT - 1)
    const known = this.#lists[place] ?? []
    if (isSameList(known, list)) return known
    this.#lists[place] = list
    return list
  }
}
