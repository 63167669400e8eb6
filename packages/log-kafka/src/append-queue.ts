import { type NewRecord, OperatingError, type Position } from '@switchyard/kernel'
import type { Outgoing } from './idempotent-producer.ts'
import { type KafkaLogLimits, WHOLE_APPEND_BYTES_MAX } from './limits.ts'
import { messageBytes } from './messages.ts'

/** One call of `append`, until its last record stands. */
interface Append {
  /** Its records, and the bytes that they take. */
  readonly count: number
  readonly bytes: number
  readonly positions: Position[]
  missingCount: number
  isSettled: boolean
  readonly resolve: (positions: readonly Position[]) => void
  readonly reject: (error: unknown) => void
}

/** A record that waits, and whom to tell. */
export interface AppendEntry {
  readonly outgoing: Outgoing
  readonly bytes: number
  readonly append: Append
  readonly index: number
}

/** Records in the order of the calls, bounded by their bytes. */
export interface AppendQueue {
  /** Resolves when all records have their positions; `outgoingOf` is called at once. */
  readonly push: (records: readonly NewRecord[], outgoingOf: (record: NewRecord) => Outgoing) => Promise<readonly Position[]>
  /** The next batch. */
  readonly take: () => readonly AppendEntry[]
  /** The bytes of a batch that was taken are free again. */
  readonly release: (batch: readonly AppendEntry[]) => void
  readonly count: () => number
  /** Whether there is enough for a batch. */
  readonly isFull: () => boolean
}

/** Tells the call where the record stands. */
export const place = ({ append, index }: AppendEntry, position: Position): void => {
  append.positions[index] = position
  append.missingCount -= 1
  if (append.missingCount > 0 || append.isSettled) return
  append.isSettled = true
  append.resolve(append.positions)
}

/** Tells the call that it failed; its other records are not sent any more. */
export const refuse = ({ append }: AppendEntry, error: unknown): void => {
  if (append.isSettled) return
  append.isSettled = true
  append.reject(error)
}

/** What a batch holds so far. */
interface Taken {
  readonly count: number
  readonly bytes: number
}

type BatchLimits = Pick<KafkaLogLimits, 'batchCountMax' | 'batchBytesMax'>

/** Whether one batch takes it, also where it is more than a batch is usually closed at. */
const isOneBatch = ({ count, bytes }: Append, { batchCountMax }: BatchLimits): boolean =>
  count <= batchCountMax && bytes <= WHOLE_APPEND_BYTES_MAX

/**
 * Whether the batch takes one more record. What is appended together is written together, or not at all: a partition takes a batch as a whole, and
 * a process may end between two. What fits into no batch is cut.
 */
const hasRoomFor = ({ append, index }: AppendEntry, taken: Taken, limits: BatchLimits): boolean => {
  if (taken.count === 0) return true
  if (index > 0 && isOneBatch(append, limits)) return true
  if (taken.count >= limits.batchCountMax || taken.bytes >= limits.batchBytesMax) return false
  const isAlone = index > 0 || append.count === 1
  return isAlone || (taken.count + append.count <= limits.batchCountMax && taken.bytes + append.bytes <= limits.batchBytesMax)
}

/** {@link AppendQueue}, empty. */
export const createAppendQueue = (limits: Pick<KafkaLogLimits, 'batchCountMax' | 'batchBytesMax' | 'pendingBytesMax'>): AppendQueue => {
  const { batchCountMax, batchBytesMax, pendingBytesMax } = limits
  let waiting: AppendEntry[] = []
  let waitingBytes = 0
  let pendingBytes = 0

  const push: AppendQueue['push'] = async (records, outgoingOf) => {
    const sizes = records.map(messageBytes)
    const bytes = sizes.reduce((sum, size) => sum + size, 0)
    if (pendingBytes > 0 && pendingBytes + bytes > pendingBytesMax) {
      throw new OperatingError('APPEND_BUFFER_FULL', `more than ${pendingBytesMax} bytes wait for the brokers`, { retryable: true })
    }
    pendingBytes += bytes
    waitingBytes += bytes
    return await new Promise((resolve, reject) => {
      const { length: count } = records
      const append: Append = { count, bytes, positions: [], missingCount: count, isSettled: false, resolve, reject }
      for (const [index, record] of records.entries()) {
        waiting.push({ outgoing: outgoingOf(record), bytes: sizes[index] ?? 0, append, index })
      }
    })
  }

  const take = (): readonly AppendEntry[] => {
    const size = { count: 0, bytes: 0 }
    for (const entry of waiting) {
      if (!hasRoomFor(entry, size, limits)) break
      size.count += 1
      size.bytes += entry.bytes
    }
    const taken = waiting.slice(0, size.count)
    waiting = waiting.slice(size.count)
    waitingBytes -= size.bytes
    return taken
  }

  return {
    push,
    take,
    release: (batch) => {
      for (const { bytes } of batch) pendingBytes -= bytes
    },
    count: () => waiting.length,
    isFull: () => waiting.length >= batchCountMax || waitingBytes >= batchBytesMax,
  }
}
