import { FRAME_BYTES, misfit, unreadable } from './avro-frame.ts'
import { RecentValues } from './recent-values.ts'

/** Texts that are remembered, to be given out again instead of being made anew: merchants, gateways, currencies come again and again. A power of two. */
const REMEMBERED_TEXT_COUNT = 1_024

/** Longest text that is remembered, bytes. */
const REMEMBERED_TEXT_BYTES_MAX = 32

const DOUBLE_BYTES = 8

/** Whether these characters, all ASCII, stand at this place. */
const standsAt = (bytes: Uint8Array, start: number, text: string): boolean => {
  for (let i = 0; i < text.length; i++) if (bytes[start + i] !== text.charCodeAt(i)) return false
  return true
}

/**
 * Reads the parts of Avro bodies (specification 1.12, binary encoding) one after another, for the code that is generated from
 * the schemas. Throws `RECORD_UNREADABLE` where something else stands than the schema says; never reads beyond the end.
 */
export class BodyReader {
  #bytes: Buffer = Buffer.alloc(0)
  #at = 0
  #name = ''
  readonly #texts: string[] = Array.from({ length: REMEMBERED_TEXT_COUNT }, () => '')

  /** The body of a record of this name, behind its frame, as `read` finds it; bytes that are left are refused. */
  body<Data>(bytes: Buffer, name: string, read: (from: BodyReader) => Data): Data {
    this.#bytes = bytes
    this.#at = FRAME_BYTES
    this.#name = name
    const data = read(this)
    if (this.#at !== bytes.length) throw misfit(name, bytes.length - this.#at)
    return data
  }

  string(): string {
    const start = this.#passString()
    const end = this.#at
    if (start === end) return ''
    if (end - start > REMEMBERED_TEXT_BYTES_MAX) return this.#bytes.toString('utf8', start, end)
    return this.#maybeRemembered(start, end)
  }

  /** One that comes once, as ids do: looking for it would be in vain. */
  newString(): string {
    const start = this.#passString()
    return this.#bytes.toString('utf8', start, this.#at)
  }

  skipString(): void {
    this.#passString()
  }

  boolean(): boolean {
    const value = this.#byte()
    if (value > 1) throw this.#wrong('a boolean that is none')
    return value === 1
  }

  int(): number {
    const value = this.long()
    if ((value | 0) !== value) throw this.#wrong('an int beyond its range')
    return value
  }

  long(): number {
    const first = this.#byte()
    const value = first > 0x7f ? this.#longer((first & 0x7f) >> 1) : first >> 1
    return (first & 1) === 0 ? value : -value - 1
  }

  double(): number {
    this.skipDouble()
    return this.#bytes.readDoubleLE(this.#at - DOUBLE_BYTES)
  }

  skipDouble(): void {
    const end = this.#at + DOUBLE_BYTES
    if (end > this.#bytes.length) throw misfit(this.#name, -1)
    this.#at = end
  }

  symbol<Symbol extends string>(symbols: readonly Symbol[]): Symbol {
    const symbol = symbols[this.long()]
    if (symbol === undefined) throw this.#wrong('a symbol that its enum lacks')
    return symbol
  }

  isNone(): boolean {
    const branch = this.#byte()
    if (branch !== 0 && branch !== 2) throw this.#wrong('a branch that its union lacks')
    return branch === 0
  }

  items<Item>(item: (from: BodyReader) => Item): Item[] {
    const items: Item[] = []
    for (let count = this.#blockCount(); count > 0; count = this.#blockCount()) {
      for (let i = 0; i < count; i++) items.push(item(this))
    }
    return items
  }

  skipItems(skip: (from: BodyReader) => void): void {
    for (let count = this.#blockCount(); count > 0; count = this.#blockCount()) {
      for (let i = 0; i < count; i++) skip(this)
    }
  }

  entries<Value>(value: (from: BodyReader) => Value): Record<string, Value> {
    const entries: [string, Value][] = []
    for (let count = this.#blockCount(); count > 0; count = this.#blockCount()) {
      for (let i = 0; i < count; i++) entries.push([this.string(), value(this)])
    }
    return Object.fromEntries(entries)
  }

  /** What `read` gives here, or what it gave lately for the same bytes: a value is told by its bytes, and so is where it ends. */
  recurring<Value>(recent: RecentValues<Value>, read: (from: BodyReader) => Value): Value {
    const start = this.#at
    const known = recent.find(this.#bytes, start)
    if (known !== undefined) {
      this.#at = start + known.bytes.length
      return known.value
    }
    const value = read(this)
    recent.add(this.#bytes.subarray(start, this.#at), value)
    return value
  }

  /** Goes behind a text; answers where it begins. */
  #passString(): number {
    const length = this.long()
    const start = this.#at
    const end = start + length
    if (length < 0 || end > this.#bytes.length) throw misfit(this.#name, -1)
    this.#at = end
    return start
  }

  /** A negative count is followed by the size of the block. */
  #blockCount(): number {
    const count = this.long()
    if (count >= 0) return count
    this.long()
    return -count
  }

  #maybeRemembered(start: number, end: number): string {
    const bytes = this.#bytes
    const length = end - start
    const first = bytes[start] ?? 0
    const middle = bytes[start + (length >> 1)] ?? 0
    const last = bytes[end - 1] ?? 0
    const place = (((length * 31 + first) * 31 + middle) * 31 + last) & (REMEMBERED_TEXT_COUNT - 1)
    const remembered = this.#texts[place]
    if (remembered?.length === length && standsAt(bytes, start, remembered)) return remembered
    const text = bytes.toString('utf8', start, end)
    // Fewer characters than bytes: it is not ASCII.
    if (text.length === length) this.#texts[place] = text
    return text
  }

  #wrong(what: string): Error {
    return unreadable(`the record of ${this.#name} has ${what}`)
  }

  #byte(): number {
    const byte = this.#bytes[this.#at]
    if (byte === undefined) throw misfit(this.#name, -1)
    this.#at += 1
    return byte
  }

  /** The bytes behind the first one, seven bits each. */
  #longer(low: number): number {
    let value = low
    let byte = 0x80
    for (let weight = 0x40; byte > 0x7f; weight *= 0x80) {
      byte = this.#byte()
      value += (byte & 0x7f) * weight
      if (value > Number.MAX_SAFE_INTEGER) throw this.#wrong('a number beyond what is exact')
    }
    return value
  }
}

/**
 * Reads what is the same in most events of a moment: equal bytes that come again give the object that they gave before. Its type says that
 * nobody changes it.
 */
export const recurring = <Value>(read: (from: BodyReader) => Value): ((from: BodyReader) => Value) => {
  const recent = new RecentValues<Value>()
  return (from) => from.recurring(recent, read)
}
