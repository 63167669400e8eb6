import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { PAGES_LOOKED_AT_MAX } from './limits.ts'

// The form of LMDB's file (mdb.c of the driver: MDB_page_header, MDB_meta, MDB_db, MDB_node, MDB_ovpage), as machines of 64 bits with the low byte first write it.
const MAGIC = 0xbeefc0de
const HEADER_BYTES = 24
const FLAGS_AT = 18
const LOWER_AT = 20
const BRANCH = 0x01
const LEAF = 0x02
const META = { magicAt: 24, pageBytesAt: 48, freeRootAt: 88, mainRootAt: 136, lastPageAt: 144, transactionAt: 152, bytes: 168 } as const
const NODE = { flagsAt: 4, keyBytesAt: 6, bytes: 8, isBig: 0x01, isDatabase: 0x02 } as const
const ROOT_IN_DATABASE_AT = 40
const COUNT_IN_BIG_AT = 16
const BIG_COUNT_MAX = 0x1_0000_0000
/** The root of a tree without pages. */
const NO_PAGE = 2 ** 64
const PAGE_BYTES_MIN = 512
const PAGE_BYTES_MAX = 65_536

/** A file that is open for reading. */
interface DataFile {
  readonly descriptor: number
  readonly path: string
  readonly bytes: number
  readonly remedy: string
}

/** Consecutive pages. */
interface Span {
  readonly page: number
  readonly count: number
  /** The first of them has pages below it: a page of a tree. */
  readonly isTree: boolean
}

/** What the newer of the two descriptions of the database says. */
interface Meta {
  readonly pageBytes: number
  readonly roots: readonly number[]
  readonly lastPage: number
}

const numberAt = (bytes: Buffer, at: number): number => Number(bytes.readBigUInt64LE(at))

const cutOff = ({ path, bytes, remedy }: DataFile, neededBytes: number): Error =>
  new Error(`${path} is cut off: it is ${bytes} bytes long, and what is in it takes ${neededBytes} at least; ${remedy}`)

const read = (file: DataFile, at: number, length: number): Buffer => {
  if (at + length > file.bytes) throw cutOff(file, at + length)
  const bytes = Buffer.alloc(length)
  readSync(file.descriptor, bytes, 0, length, at)
  return bytes
}

const metaOf = (bytes: Buffer, pageBytes: number): Meta & { readonly transaction: number } => ({
  pageBytes,
  roots: [numberAt(bytes, META.freeRootAt), numberAt(bytes, META.mainRootAt)],
  lastPage: numberAt(bytes, META.lastPageAt),
  transaction: numberAt(bytes, META.transactionAt),
})

/** Undefined when it is not of the form that is known here: the driver has to say what it thinks of it. */
const readMeta = (file: DataFile): Meta | undefined => {
  const first = read(file, 0, META.bytes)
  const pageBytes = first.readUInt32LE(META.pageBytesAt)
  if (first.readUInt32LE(META.magicAt) !== MAGIC || pageBytes < PAGE_BYTES_MIN || pageBytes > PAGE_BYTES_MAX) return undefined
  const [a, b] = [metaOf(first, pageBytes), metaOf(read(file, pageBytes, META.bytes), pageBytes)]
  return a.transaction >= b.transaction ? a : b
}

/** What an entry of a leaf points to, beside its own value. */
const pointedToBy = (leaf: Buffer, at: number): readonly Span[] => {
  const flags = leaf.readUInt16LE(at + NODE.flagsAt)
  const valueAt = at + NODE.bytes + leaf.readUInt16LE(at + NODE.keyBytesAt)
  if ((flags & NODE.isBig) !== 0) {
    const count = numberAt(leaf, valueAt + COUNT_IN_BIG_AT)
    return count < BIG_COUNT_MAX ? [{ page: numberAt(leaf, valueAt), count, isTree: false }] : []
  }
  return (flags & NODE.isDatabase) === 0 ? [] : [{ page: numberAt(leaf, valueAt + ROOT_IN_DATABASE_AT), count: 1, isTree: true }]
}

const childOf = (branch: Buffer, at: number): Span => ({
  page: branch.readUIntLE(at, NODE.flagsAt) + branch.readUInt16LE(at + NODE.flagsAt) * 2 ** 32,
  count: 1,
  isTree: true,
})

/** What a page of a tree points to. */
const below = (page: Buffer): readonly Span[] => {
  const kind = page.readUInt16LE(FLAGS_AT) & (BRANCH | LEAF)
  const entryCount = page.readUInt16LE(LOWER_AT) >> 1
  const entries = Array.from({ length: entryCount }, (_, i) => HEADER_BYTES + page.readUInt16LE(HEADER_BYTES + i * 2))
  if (kind === BRANCH) return entries.map((at) => childOf(page, at))
  return kind === LEAF ? entries.flatMap((at) => pointedToBy(page, at)) : []
}

/** Throws when a page that is reached lies behind the end of the file; looks no further when it has looked at many. */
const walk = (file: DataFile, { pageBytes, roots }: Meta): void => {
  const waiting: number[] = []
  const reach = ({ page, count, isTree }: Span): void => {
    if (page === NO_PAGE) return
    if ((page + count) * pageBytes > file.bytes) throw cutOff(file, (page + count) * pageBytes)
    if (isTree && waiting.length < PAGES_LOOKED_AT_MAX) waiting.push(page)
  }
  for (const page of roots) reach({ page, count: 1, isTree: true })
  // Pages that are reached meanwhile are looked at behind the others, so those far up, which point to many, come first.
  for (const page of waiting) for (const span of below(read(file, page * pageBytes, pageBytes))) reach(span)
}

/** As {@link assertWhole}, of a file that is open. */
const assertWholeFile = (file: DataFile): void => {
  const meta = file.bytes === 0 ? undefined : readMeta(file)
  // It may be shorter and whole: pages at its end that a transaction took and gave back are never written. Only those that are reached count.
  if (meta !== undefined && (meta.lastPage + 1) * meta.pageBytes > file.bytes) walk(file, meta)
}

/**
 * Throws when the file of the database in this folder ends before what is in it, as a copy that broke off does: whoever reads such a page through memory
 * is ended by the system without a word. To be called while nobody writes. What a process that was killed left behind is whole. `remedy` says what to do.
 */
export const assertWhole = (folder: string, remedy: string): void => {
  const path = join(folder, 'data.mdb')
  let descriptor: number
  try {
    descriptor = openSync(path, 'r')
  } catch {
    // There is none yet, or the driver says why it can't be read.
    return
  }
  try {
    assertWholeFile({ descriptor, path, bytes: fstatSync(descriptor).size, remedy })
  } finally {
    closeSync(descriptor)
  }
}
