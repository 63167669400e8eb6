/** Text in ASCII, a number, or what is neither. Escapes of code units are left to `JSON.parse`. */
const TEXT_PART = '[^"\\\\\\x00-\\x1f\\x80-\\xff]*'
const TEXT = `"${TEXT_PART}(?:\\\\["\\\\/bfnrt]${TEXT_PART})*"`
const NO_TEXT = '-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|true|false|null'
const SCALAR = `${TEXT}|${NO_TEXT}`
const BLANKS = '[ \\t\\n\\r]*'
/** A list of nothing but such values. */
const LIST = `\\[${BLANKS}(?:(?:${SCALAR})${BLANKS}(?:,${BLANKS}(?:${SCALAR})${BLANKS})*)?\\]`

/** The next piece of a text: structure, or a value that is no object. */
const PIECE = new RegExp(`(${BLANKS}[{}:,]${BLANKS})|(${SCALAR}|${LIST})`, 'y')
const WHOLE_TEXT = new RegExp(`^${TEXT}$`)
const WHOLE_NO_TEXT = new RegExp(`^(?:${NO_TEXT})$`)
const LIST_AT_THE_BEGINNING = new RegExp(`^${LIST}`)

const QUOTE = '"'
const BACKSLASH = '\\'
const OPENING_LIST = '['
const PROTOTYPE_MEMBER = '__proto__'

const BLANK_BYTE_MAX = 0x20
const QUOTE_BYTE = 0x22
const COMMA_BYTE = 0x2c
const BACKSLASH_BYTE = 0x5c
const CLOSING_BYTE = 0x7d
const ASCII_BYTE_MAX = 0x7f

/** Objects, and values in them, of a text that gets a shape. */
const OBJECT_COUNT_MAX = 16
const VALUE_COUNT_MAX = 64

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
  /** As it stood in the last text: the first `length` bytes. */
  last: Buffer
  length: number
  /** What stands between it and the next value, or the end. */
  after: Buffer
}

/** Byte by byte: what is compared is short, and calling somebody who is faster takes longer. */
const standsAt = (bytes: Buffer, start: number, piece: Buffer, length: number): boolean => {
  if (start + length > bytes.length) return false
  for (let i = 0; i < length; i++) if (bytes[start + i] !== piece[i]) return false
  return true
}

/** Where the text ends that begins at `start`; -1 when none does. */
const endOfText = (bytes: Buffer, start: number): number => {
  for (let at = start + 1; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte === QUOTE_BYTE) return at + 1
    if (byte === BACKSLASH_BYTE) at += 1
    else if (byte < BLANK_BYTE_MAX || byte > ASCII_BYTE_MAX) return -1
  }
  return -1
}

/** Where the number or word ends that begins at `start`. */
const endOfWord = (bytes: Buffer, start: number): number => {
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte <= BLANK_BYTE_MAX || byte === COMMA_BYTE || byte === CLOSING_BYTE) return at
  }
  return bytes.length
}

/** Where the list ends that begins at `start`; -1 when none does. */
const endOfList = (bytes: Buffer, start: number): number => {
  const [list] = LIST_AT_THE_BEGINNING.exec(bytes.toString('latin1', start)) ?? []
  return list === undefined ? -1 : start + list.length
}

const endOf = ({ isList }: ShapedValue, bytes: Buffer, start: number): number => {
  if (isList) return endOfList(bytes, start)
  return bytes[start] === QUOTE_BYTE ? endOfText(bytes, start) : endOfWord(bytes, start)
}

/** What stands between two places as a value that no list is; undefined when it is none. */
const scalarIn = (bytes: Buffer, start: number, end: number): unknown => {
  if (bytes[start] !== QUOTE_BYTE) {
    const word = bytes.toString('latin1', start, end)
    return WHOLE_NO_TEXT.test(word) ? JSON.parse(word) : undefined
  }
  const inner = bytes.toString('latin1', start + 1, end - 1)
  if (!inner.includes(BACKSLASH)) return inner
  const text = `"${inner}"`
  return WHOLE_TEXT.test(text) ? JSON.parse(text) : undefined
}

const valueIn = ({ isList }: ShapedValue, bytes: Buffer, start: number, end: number): unknown =>
  isList ? JSON.parse(bytes.toString('latin1', start, end)) : scalarIn(bytes, start, end)

/** In the room of those before, when that is enough: nothing is made for what differs each time. */
const remember = (value: ShapedValue, bytes: Buffer, start: number, end: number): void => {
  value.length = end - start
  if (value.last.length < value.length) value.last = Buffer.allocUnsafeSlow(2 * value.length)
  for (let i = 0; i < value.length; i++) value.last[i] = bytes[start + i] ?? 0
}

/**
 * What JSON texts have in common that differ in nothing but the values of their members, as those of one client do. They are read by
 * comparing them piece by piece with the last one: names are not read, a value that is as in the last text is not made again, and
 * nothing is made beside what is given. Texts of another shape are somebody else's to read.
 */
export class JsonShape {
  readonly #objects: readonly ShapedObject[]
  readonly #values: readonly ShapedValue[]
  readonly #lists: readonly ShapedValue[]
  /** What stands before the first value. */
  readonly #beginning: Buffer

  constructor(beginning: Buffer, objects: readonly ShapedObject[], values: readonly ShapedValue[]) {
    this.#beginning = beginning
    this.#objects = objects
    this.#values = values
    this.#lists = values.filter(({ isList }) => isList)
  }

  /** The object that the bytes of a text stand for, nobody else's; undefined for a text of another shape. */
  read(bytes: Buffer): object | undefined {
    if (!standsAt(bytes, 0, this.#beginning, this.#beginning.length)) return undefined
    let at = this.#beginning.length
    for (let index = 0; index < this.#values.length; index++) {
      const value = this.#values[index]
      if (value === undefined) return undefined
      at = this.#pass(value, bytes, at)
      if (at === -1) return undefined
    }
    return at === bytes.length ? this.#copy() : undefined
  }

  /** Goes behind a value and what stands after it, noting a value that is another than in the last text; -1 when something else stands there. */
  #pass(value: ShapedValue, bytes: Buffer, start: number): number {
    const { last, length, after } = value
    const lastEnd = start + length
    // A number may begin as the last one did, and go on.
    if (standsAt(bytes, start, last, length) && standsAt(bytes, lastEnd, after, after.length)) return lastEnd + after.length
    const end = endOf(value, bytes, start)
    if (end === -1 || !standsAt(bytes, end, after, after.length)) return -1
    const found = valueIn(value, bytes, start, end)
    if (found === undefined) return -1
    value.members[value.name] = found
    remember(value, bytes, start, end)
    return end + after.length
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
  #beginning = ''
  #isNameNext = false
  #name = ''

  /** Takes the next piece in; false for one that no shape has. */
  add(piece: string, isStructure: boolean, whole: unknown): boolean {
    if (isStructure) return this.#addStructure(piece, whole)
    return this.#isNameNext ? this.#addName(piece) : this.#addValue(piece)
  }

  shape(): JsonShape | undefined {
    return this.#objects.length === 0 ? undefined : new JsonShape(Buffer.from(this.#beginning, 'latin1'), this.#objects, this.#values)
  }

  #addEqual(piece: string): void {
    const value = this.#values.at(-1)
    if (value === undefined) this.#beginning += piece
    else value.after = Buffer.concat([value.after, Buffer.from(piece, 'latin1')])
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
    const last = Buffer.from(text, 'latin1')
    const isList = text.startsWith(OPENING_LIST)
    this.#values.push({ object, members, name: this.#name, isList, last, length: last.length, after: Buffer.alloc(0) })
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
