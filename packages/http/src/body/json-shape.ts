/** Text in ASCII, a number, or what is neither. Escapes of code units are left to `JSON.parse`. */
const TEXT_PART = '[^"\\\\\\x00-\\x1f\\x80-\\xff]*'
const SCALAR = [
  `"${TEXT_PART}(?:\\\\["\\\\/bfnrt]${TEXT_PART})*"`,
  '-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?',
  'true|false|null',
].join('|')
const BLANKS = '[ \\t\\n\\r]*'
/** A list of nothing but such values. */
const LIST = `\\[${BLANKS}(?:(?:${SCALAR})${BLANKS}(?:,${BLANKS}(?:${SCALAR})${BLANKS})*)?\\]`

/** The next piece of a text: structure, or a value that is no object. */
const PIECE = new RegExp(`(${BLANKS}[{}:,]${BLANKS})|(${SCALAR}|${LIST})`, 'y')
const MEANT_BY_PATTERNS = /[\\^$.*+?()[\]{}|/]/g
const literally = (text: string): string => text.replace(MEANT_BY_PATTERNS, '\\$&')

const QUOTE = '"'
const BACKSLASH = '\\'
const OPENING_LIST = '['
const PROTOTYPE_MEMBER = '__proto__'

/** Objects, and values in them, of a text that gets a shape. */
const OBJECT_COUNT_MAX = 16
const VALUE_COUNT_MAX = 64
/** The engine keeps all of a text for a part that is as long or longer. */
const SHARED_LENGTH_MIN = 13

type Members = Record<string, unknown>
const membersOf = (value: unknown): Members => Object(value)

/** An object in the texts of a shape. */
interface ShapedObject {
  /** As in the last text, except for the objects in it. */
  readonly members: Members
  /** The index of the object that it stands in, and under which name; the outermost one stands in itself. */
  readonly parent: number
  readonly name: string
}

/** A value in the texts of a shape: a scalar, or a list of scalars. */
interface ShapedValue {
  readonly object: number
  readonly members: Members
  readonly name: string
  readonly isList: boolean
  /** Characters between the value before it and this one. */
  readonly gapLength: number
  /** As it stood in the last text. */
  text: string
}

/** What the text of a value stands for; `start` is where it begins in `bytes`. */
const valueOf = (text: string, bytes: Buffer, start: number): unknown => {
  if (!text.startsWith(QUOTE) || text.includes(BACKSLASH)) return JSON.parse(text)
  const end = text.length - 1
  return end - 1 < SHARED_LENGTH_MIN ? text.slice(1, end) : bytes.toString('latin1', start + 1, start + end)
}

/**
 * What JSON texts have in common that differ in nothing but the values of their members, as those of one client do. They are read by a
 * pattern that was made of one of them, which takes half the time of `JSON.parse`: names are compared instead of being read, and a
 * value that is as in the last text is not made again. Texts that the pattern does not match are somebody else's to read.
 */
export class JsonShape {
  readonly #pattern: RegExp
  readonly #objects: readonly ShapedObject[]
  readonly #values: readonly ShapedValue[]
  readonly #lists: readonly ShapedValue[]

  constructor(source: string, objects: readonly ShapedObject[], values: readonly ShapedValue[]) {
    this.#pattern = new RegExp(`^${source}$`)
    this.#objects = objects
    this.#values = values
    this.#lists = values.filter(({ isList }) => isList)
  }

  /** The object that a text stands for, nobody else's; undefined for a text of another shape. `text` has a character for each of the `bytes`. */
  read(text: string, bytes: Buffer): object | undefined {
    const found = this.#pattern.exec(text)
    if (found === null) return undefined
    let end = 0
    for (let index = 0; index < this.#values.length; index++) {
      const value = this.#values[index]
      const valueText = found[index + 1]
      if (value === undefined || valueText === undefined) return undefined
      const start = end + value.gapLength
      end = start + valueText.length
      if (valueText === value.text) continue
      value.members[value.name] = valueOf(valueText, bytes, start)
      value.text = valueText
    }
    return this.#copy()
  }

  #copy(): object {
    const copies = this.#objects.map(({ members }): Members => ({ ...members }))
    for (let index = 1; index < copies.length; index++) {
      const object = this.#objects[index]
      if (object !== undefined) membersOf(copies[object.parent])[object.name] = copies[index]
    }
    for (const { object, members, name } of this.#lists) {
      const list: unknown = members[name]
      if (Array.isArray(list)) membersOf(copies[object])[name] = list.slice()
    }
    return copies[0] ?? {}
  }
}

/** Goes through a text that is a JSON object, and notes what has to be equal in texts of its shape and what may differ. */
class ShapeWriter {
  readonly #objects: ShapedObject[] = []
  readonly #values: ShapedValue[] = []
  /** Objects that are not closed yet. */
  readonly #open: number[] = []
  #source = ''
  #gapLength = 0
  #isNameNext = false
  #name = ''

  /** Takes the next piece in; false for one that no shape has. */
  add(piece: string, isStructure: boolean, whole: unknown): boolean {
    if (isStructure) return this.#addStructure(piece, whole)
    return this.#isNameNext ? this.#addName(piece) : this.#addValue(piece)
  }

  shape(): JsonShape | undefined {
    return this.#objects.length === 0 ? undefined : new JsonShape(this.#source, this.#objects, this.#values)
  }

  #addEqual(piece: string): void {
    this.#source += literally(piece)
    this.#gapLength += piece.length
  }

  #addStructure(piece: string, whole: unknown): boolean {
    const mark = piece.trim()
    if (mark === '{') {
      const parent = this.#open.at(-1)
      const members = parent === undefined ? whole : this.#objects[parent]?.members[this.#name]
      this.#open.push(this.#objects.length)
      this.#objects.push({ members: membersOf(members), parent: parent ?? 0, name: this.#name })
    }
    if (mark === '}') this.#open.pop()
    this.#isNameNext = mark === '{' || mark === ','
    this.#addEqual(piece)
    return this.#objects.length <= OBJECT_COUNT_MAX
  }

  #addName(piece: string): boolean {
    this.#name = piece.slice(1, -1)
    this.#addEqual(piece)
    return piece.startsWith(QUOTE) && !piece.includes(BACKSLASH) && this.#name !== PROTOTYPE_MEMBER
  }

  #addValue(text: string): boolean {
    const object = this.#open.at(-1)
    const members = this.#objects[object ?? -1]?.members
    if (object === undefined || members === undefined) return false
    const isList = text.startsWith(OPENING_LIST)
    this.#source += `(${isList ? LIST : SCALAR})`
    this.#values.push({ object, members, name: this.#name, isList, gapLength: this.#gapLength, text })
    this.#gapLength = 0
    return this.#values.length <= VALUE_COUNT_MAX
  }
}

/** The shape of a text that is a JSON object without members given twice; undefined where it has things that no shape has. */
export const shapeOf = (text: string): JsonShape | undefined => {
  const writer = new ShapeWriter()
  const whole: unknown = JSON.parse(text)
  for (PIECE.lastIndex = 0; PIECE.lastIndex < text.length; ) {
    const [piece, structure] = PIECE.exec(text) ?? []
    if (piece === undefined || !writer.add(piece, structure !== undefined, whole)) return undefined
  }
  return writer.shape()
}
