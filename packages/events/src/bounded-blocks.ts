import avro from 'avsc'

/** How the driver goes through bytes; its types keep it to themselves. */
interface Tap {
  readonly buf: Uint8Array
  pos: number
  readonly readLong: () => number
  readonly skipLong: () => void
  readonly readString: () => string
  readonly skipString: () => void
}

interface Part {
  readonly _read: (tap: Tap) => unknown
  readonly _skip: (tap: Tap) => void
}

/** What the driver asks of a type that stands in blocks. */
interface BlockPart extends Part {
  readonly itemsType: Part
  readonly valuesType: Part
}

/** Items of the next block; none behind the last one. Each item takes a byte at least, so that there are never more of them than bytes. */
const nextBlock = (tap: Tap): number => {
  const told = tap.readLong()
  // A negative count is followed by the size of the block.
  if (told < 0) tap.skipLong()
  const count = Math.abs(told)
  const left = tap.buf.length - tap.pos
  if (count > left && count > 0) throw new Error(`a block of ${count} items in ${left} bytes`)
  return count
}

const readItems = function (this: BlockPart, tap: Tap): unknown[] {
  const { itemsType } = this
  const items: unknown[] = []
  for (let count = nextBlock(tap); count > 0; count = nextBlock(tap)) {
    for (let index = 0; index < count; index++) items.push(itemsType._read(tap))
  }
  return items
}

const skipItems = function (this: BlockPart, tap: Tap): void {
  for (let count = nextBlock(tap); count > 0; count = nextBlock(tap)) {
    for (let index = 0; index < count; index++) this.itemsType._skip(tap)
  }
}

const readEntries = function (this: BlockPart, tap: Tap): Readonly<Record<string, unknown>> {
  const entries: [string, unknown][] = []
  for (let count = nextBlock(tap); count > 0; count = nextBlock(tap)) {
    for (let index = 0; index < count; index++) entries.push([tap.readString(), this.valuesType._read(tap)])
  }
  return Object.fromEntries(entries)
}

const skipEntries = function (this: BlockPart, tap: Tap): void {
  for (let count = nextBlock(tap); count > 0; count = nextBlock(tap)) {
    for (let index = 0; index < count; index++) {
      tap.skipString()
      this.valuesType._skip(tap)
    }
  }
}

Object.assign(avro.types.ArrayType.prototype, { _read: readItems, _skip: skipItems })
Object.assign(avro.types.MapType.prototype, { _read: readEntries, _skip: skipEntries })

/**
 * The type of a schema. The driver believes the number of items that bytes tell, whatever there is of them: a record of twenty bytes that names
 * a million million would hold up every reader for ever, and again when it is started anew. A map it makes by assignment, which loses the key
 * `__proto__`.
 */
export const typeOf = (schema: string, options: { readonly omitRecordMethods?: boolean } = {}): avro.Type =>
  avro.Type.forSchema(JSON.parse(schema), options)
