import { assert } from '@switchyard/kernel'
import { FRAME_BYTES } from './avro-frame.ts'
import { RecentValues } from './recent-values.ts'

/** Bodies share a slab until it is full. */
const SLAB_BYTES = 64 * 1024

/** A slab with less left is not begun with: most events fit. */
const ROOM_BYTES = 4 * 1024

/** Longest text that is copied character by character: a call into the runtime costs more than that. */
const SHORT_TEXT_LENGTH_MAX = 48

/**
 * Writes the parts of Avro bodies (specification 1.12, binary encoding) behind each other, for the code that is generated
 * from the schemas. What does not fit its type is refused: that is a bug, not an input error. What is written beyond the end
 * of a slab is lost, and the body is written again where there is more room.
 */
export class BodyWriter {
  #bytes: Buffer = Buffer.allocUnsafeSlow(SLAB_BYTES)
  #view = new DataView(this.#bytes.buffer)
  #start = 0
  #at = 0

  /** A body with its frame, as `write` gives it; nobody else gets these bytes. */
  body<Data>(schemaId: number, write: (to: BodyWriter, data: Data) => void, data: Data): Uint8Array {
    for (;;) {
      this.#begin(schemaId)
      write(this, data)
      const [start, end] = [this.#start, this.#at]
      if (end <= this.#bytes.length) {
        this.#start = end
        return this.#bytes.subarray(start, end)
      }
      this.#renew(2 * (end - start))
    }
  }

  string(text: string): void {
    assert(typeof text === 'string', 'not a string')
    const { length } = text
    if (length > SHORT_TEXT_LENGTH_MAX) return this.#anyText(text)
    const bytes = this.#bytes
    const start = this.#at + 1
    let units = 0
    for (let i = 0; i < length; i++) {
      const unit = text.charCodeAt(i)
      units |= unit
      bytes[start + i] = unit
    }
    if (units > 0x7f) return this.#anyText(text)
    bytes[start - 1] = 2 * length
    this.#at = start + length
  }

  boolean(value: boolean): void {
    assert(typeof value === 'boolean', 'not a boolean')
    this.#bytes[this.#at++] = value ? 1 : 0
  }

  int(value: number): void {
    assert((value | 0) === value, 'not an int')
    this.#number(value)
  }

  long(value: number): void {
    assert(Number.isSafeInteger(value), 'not a long')
    this.#number(value)
  }

  double(value: number): void {
    assert(typeof value === 'number', 'not a double')
    if (this.#at + 8 <= this.#bytes.length) this.#view.setFloat64(this.#at, value, true)
    this.#at += 8
  }

  symbol<Symbol extends string>(symbols: readonly Symbol[], value: Symbol): void {
    const index = symbols.indexOf(value)
    assert(index >= 0, 'not a symbol of its enum')
    this.#number(index)
  }

  /** Names the branch; what is there is to be written next. */
  isSome<Value>(value: Value | null): value is Value {
    this.#bytes[this.#at++] = value === null ? 0 : 2
    return value !== null
  }

  /** Begins a list, whose items are to be written next, and then its end. */
  items<Item>(list: readonly Item[]): readonly Item[] {
    assert(Array.isArray(list), 'not a list')
    if (list.length > 0) this.#number(list.length)
    return list
  }

  /** Begins a map, whose keys and values are to be written next, and then its end. */
  entries<Value>(map: Readonly<Record<string, Value>>): readonly (readonly [string, Value])[] {
    assert(typeof map === 'object', 'not a map')
    return this.items(Object.entries(map))
  }

  end(): void {
    this.#bytes[this.#at++] = 0
  }

  /** What `write` writes of a value, or has written of this very object lately. */
  recurring<Value extends object>(recent: RecentValues<Value>, value: Value, write: (to: BodyWriter, value: Value) => void): void {
    const known = recent.bytesOf(value)
    if (known !== undefined) return this.#copy(known)
    const start = this.#at
    write(this, value)
    const isWhole = this.#at <= this.#bytes.length
    if (isWhole && recent.isTurn()) recent.add(this.#bytes.subarray(start, this.#at), value)
  }

  #copy(known: Uint8Array): void {
    const bytes = this.#bytes
    const start = this.#at
    for (let i = 0; i < known.length; i++) bytes[start + i] = known[i] ?? 0
    this.#at = start + known.length
  }

  /** A zero and the id of the schema. */
  #begin(schemaId: number): void {
    if (this.#bytes.length - this.#start < ROOM_BYTES) this.#renew(SLAB_BYTES)
    this.#at = this.#start + FRAME_BYTES
    this.#view.setUint8(this.#start, 0)
    this.#view.setUint32(this.#start + 1, schemaId)
  }

  #anyText(text: string): void {
    const length = Buffer.byteLength(text)
    this.#number(length)
    if (this.#at + length <= this.#bytes.length) this.#bytes.write(text, this.#at)
    this.#at += length
  }

  /** Six bits and the sign, then seven bits a byte. */
  #number(value: number): void {
    const bytes = this.#bytes
    let at = this.#at
    let rest = value < 0 ? -value - 1 : value
    let byte = ((rest % 0x40) << 1) | (value < 0 ? 1 : 0)
    rest = Math.floor(rest / 0x40)
    while (rest > 0) {
      bytes[at++] = byte | 0x80
      byte = rest % 0x80
      rest = Math.floor(rest / 0x80)
    }
    bytes[at++] = byte
    this.#at = at
  }

  #renew(bytes: number): void {
    this.#bytes = Buffer.allocUnsafeSlow(Math.max(bytes, SLAB_BYTES))
    this.#view = new DataView(this.#bytes.buffer)
    this.#start = 0
  }
}

/** Writes what is the same object in most events of a moment: its bytes are copied. Its type says that nobody changes it. */
export const writtenOnce = <Value extends object>(
  write: (to: BodyWriter, value: Value) => void,
): ((to: BodyWriter, value: Value) => void) => {
  const recent = new RecentValues<Value>()
  return (to, value) => to.recurring(recent, value, write)
}
