import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PaymentsEventPart } from '@switchyard/events'
import {
  type DocumentKey,
  type DocumentWrite,
  isOperatingError,
  type Position,
  type Positions,
  type ReadStore,
  type StoredDocument,
} from '@switchyard/kernel'
import { SNAPSHOT_CHUNK_BYTES } from './limits.ts'
import { chunksOf, packParts, type SnapshotPart, unpackParts } from './snapshot-frames.ts'
import { pagesOf } from './stream-documents.ts'

/** Heads `['head', partition]` and pieces `['chunk', partition, slot, index]` of the payment fold's snapshots. */
export const SNAPSHOTS_COLLECTION = 'sr-windows-v1'

/** How often a head is read again when the pieces it names were overwritten meanwhile. */
const RESTORE_ATTEMPTS_MAX = 3

/** Pieces that are read or written together. */
const CHUNKS_AT_ONCE = 8

/** The part of the payment fold that the runtime needs: apply, and the complete state of a merchant as bytes. */
export interface FoldOfPayments<Effect> {
  /** What the event did; undefined for a copy of an event that is folded already: projections don't see it. */
  readonly apply: (event: PaymentsEventPart) => readonly Effect[] | undefined
  readonly merchantIds: () => Iterable<string>
  readonly exportMerchant: (merchantId: string) => Uint8Array
  readonly importMerchant: (merchantId: string, bytes: Uint8Array) => void
}

/** The partition of a merchant is known from the records seen. */
export interface PaymentSnapshots {
  readonly note: (merchantId: string, partition: number) => void
  /**
   * Loads the newest complete snapshot of every partition (that is wanted) into the fold, and gives their positions. A partition without
   * one, or with one of another release's form, is not among them: its records are read again. It goes merchant by merchant, with turns
   * of the event loop in between: beside a projector that takes over in a running process, there are readers.
   */
  readonly restore: (isWanted?: (partition: number) => boolean) => Promise<Positions>
  /**
   * Stores the fold as of these positions, one partition after the other and merchant by merchant, with turns of the event
   * loop in between for who reads beside it. Nothing may be folded until it resolves.
   */
  readonly save: (positions: Positions) => Promise<void>
}

interface Generation {
  readonly slot: number
  readonly chunkCount: number
  readonly offset: number
  readonly sha256: string
}

interface Head {
  readonly current: Generation
  /** In the other slot: what is left when two projectors at once wrote over the current one; null at first. */
  readonly previous: Generation | null
}

interface Chunk {
  readonly bytes: Uint8Array
}

interface ChunkWrite extends DocumentWrite {
  readonly body: Chunk
}

const headKey = (partition: number): DocumentKey => ['head', partition]
const chunkKey = (partition: number, slot: number, index: number): DocumentKey => ['chunk', partition, slot, index]
const checksumOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** The bytes of a generation; undefined when its pieces are not those that the head named. */
const readGeneration = async (store: ReadStore, partition: number, generation: Generation): Promise<Uint8Array | undefined> => {
  const pieces: Uint8Array[] = []
  for (let first = 0; first < generation.chunkCount; first += CHUNKS_AT_ONCE) {
    const count = Math.min(CHUNKS_AT_ONCE, generation.chunkCount - first)
    const keys = Array.from({ length: count }, (_, index) => chunkKey(partition, generation.slot, first + index))
    for (const chunk of await store.getMany<Chunk>(SNAPSHOTS_COLLECTION, keys)) {
      if (chunk?.position.offset !== generation.offset) return undefined
      pieces.push(chunk.body.bytes)
    }
  }
  const bytes = Buffer.concat(pieces)
  return checksumOf(bytes) === generation.sha256 ? bytes : undefined
}

/** Whether these very pieces are there: an attempt that was cut off, or whose answer was lost, has written them. */
const standAlready = async (store: ReadStore, writes: readonly ChunkWrite[]): Promise<boolean> => {
  const found = await store.getMany<Chunk>(
    SNAPSHOTS_COLLECTION,
    writes.map(({ key }) => key),
  )
  return writes.every(({ position, body }, index) => {
    const chunk = found[index]
    return chunk?.position.offset === position.offset && Buffer.compare(chunk.body.bytes, body.bytes) === 0
  })
}

const writeChunks = async (
  store: ReadStore,
  position: Position,
  slot: number,
  chunks: readonly Uint8Array[],
): Promise<'written' | 'overtaken'> => {
  for (let first = 0; first < chunks.length; first += CHUNKS_AT_ONCE) {
    const writes = chunks.slice(first, first + CHUNKS_AT_ONCE).map((bytes, index) => ({
      collection: SNAPSHOTS_COLLECTION,
      key: chunkKey(position.partition, slot, first + index),
      position,
      body: { bytes },
    }))
    const outcomes = await store.write(writes)
    const met = writes.filter((_, index) => outcomes[index] === 'older')
    if (met.length > 0 && !(await standAlready(store, met))) return 'overtaken'
  }
  return 'written'
}

/**
 * Writes one partition's snapshot: the pieces into the slot that is not current, then the head. A crash in between leaves
 * the current snapshot as it was; whoever is slower than another projector writes no head.
 */
const writeSnapshot = async (store: ReadStore, position: Position, bytes: Uint8Array): Promise<void> => {
  const key = headKey(position.partition)
  const head = await store.get<Head>(SNAPSHOTS_COLLECTION, key)
  if (head !== undefined && head.position.offset >= position.offset) return
  const slot = head === undefined ? 0 : 1 - head.body.current.slot
  const chunks = chunksOf(bytes, SNAPSHOT_CHUNK_BYTES)
  if ((await writeChunks(store, position, slot, chunks)) === 'overtaken') return
  const current: Generation = { slot, chunkCount: chunks.length, offset: position.offset, sha256: checksumOf(bytes) }
  const body: Head = { current, previous: head?.body.current ?? null }
  await store.write([{ collection: SNAPSHOTS_COLLECTION, key, position, body }])
}

const readSnapshot = async (
  store: ReadStore,
  partition: number,
  { current, previous }: Head,
): Promise<[Generation, Uint8Array] | undefined> => {
  for (const generation of [current, previous]) {
    const bytes = generation === null ? undefined : await readGeneration(store, partition, generation)
    if (generation !== null && bytes !== undefined) return [generation, bytes]
  }
  return undefined
}

/** Snapshots of this fold in this store. */
export const createPaymentSnapshots = <Effect>(store: ReadStore, fold: FoldOfPayments<Effect>): PaymentSnapshots => {
  const partitions = new Map<string, number>()

  const importParts = async (partition: number, parts: readonly SnapshotPart[]): Promise<'imported' | 'foreign'> => {
    for (const [index, { merchantId, bytes }] of parts.entries()) {
      try {
        fold.importMerchant(merchantId, bytes)
      } catch (error) {
        // A snapshot is written by one release: when the first part can't be read, none can, and the fold is still empty.
        if (index === 0 && isOperatingError(error, 'RECORD_UNREADABLE')) return 'foreign'
        throw error
      }
      partitions.set(merchantId, partition)
      await nextTurn()
    }
    return 'imported'
  }

  const restorePartition = async (first: StoredDocument<Head>): Promise<Position | undefined> => {
    const { partition } = first.position
    let head: StoredDocument<Head> | undefined = first
    for (let attempt = 0; attempt < RESTORE_ATTEMPTS_MAX && head !== undefined; attempt++) {
      const [generation, bytes] = (await readSnapshot(store, partition, head.body)) ?? []
      if (generation !== undefined && bytes !== undefined) {
        return (await importParts(partition, unpackParts(bytes))) === 'imported' ? { partition, offset: generation.offset } : undefined
      }
      head = await store.get<Head>(SNAPSHOTS_COLLECTION, headKey(partition))
    }
    return undefined
  }

  const pack = async (partition: number): Promise<Uint8Array> => {
    const parts: SnapshotPart[] = []
    for (const merchantId of [...fold.merchantIds()].filter((id) => partitions.get(id) === partition)) {
      parts.push({ merchantId, bytes: fold.exportMerchant(merchantId) })
      await nextTurn()
    }
    return packParts(parts)
  }

  return {
    note: (merchantId, partition) => {
      if (!partitions.has(merchantId)) partitions.set(merchantId, partition)
    },
    restore: async (isWanted = () => true) => {
      const positions = new Map<number, number>()
      for await (const head of pagesOf<Head>(store, SNAPSHOTS_COLLECTION, ['head'])) {
        const position = isWanted(head.position.partition) ? await restorePartition(head) : undefined
        if (position !== undefined) positions.set(position.partition, position.offset)
      }
      return positions
    },
    save: async (positions) => {
      for (const [partition, offset] of positions) await writeSnapshot(store, { partition, offset }, await pack(partition))
    },
  }
}
