/** Places for texts, a power of two. */
const PLACE_COUNT = 1_024

/** Most characters of a text that is worth a place. */
const LENGTH_MAX = 64

const isEqual = <Text extends string>(known: string | undefined, text: Text): known is Text => known === text

/**
 * Texts of which most were there a moment ago, such as currencies and gateways: the one of equal ones that came first is given for
 * all, so that comparing them ends at once and those that came later are gone at once. No answer depends on what is kept, one text
 * for each place.
 */
export class RecentTexts {
  readonly #texts: string[] = new Array<string>(PLACE_COUNT).fill('')

  /** The same text: the object that stood for it before, if it is still there. */
  of<Text extends string>(text: Text): Text {
    const { length } = text
    if (length === 0 || length > LENGTH_MAX) return text
    const place =
      (length + 31 * text.charCodeAt(0) + 127 * text.charCodeAt(length >> 1) + 523 * text.charCodeAt(length - 1)) & (PLACE_COUNT - 1)
    const known = this.#texts[place]
    if (isEqual(known, text)) return known
    this.#texts[place] = text
    return text
  }
}
