import { type NewRecord, OperatingError, type Position } from '@switchyard/kernel'
import type { Outgoing } from './idempotent-producer.ts'
import type { KafkaLogLimits } from './limits.ts'
import { messageBytes } from './messages.ts'

/** One call of `append`, until its last record stands. */
interface Append {
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
      const append: Append = { positions: [], missingCount: records.length, isSettled: false, resolve, reject }
      for (const [index, record] of records.entries()) {
        waiting.push({ outgoing: outgoingOf(record), bytes: sizes[index] ?? 0, append, index })
      }
    })
  }

  const take = (): readonly AppendEntry[] => {
    let bytes = 0
    let length = 0
    while (length < Math.min(waiting.length, batchCountMax) && bytes < batchBytesMax) {
      bytes += waiting[length]?.bytes ?? 0
      length += 1
    }
    const taken = waiting.slice(0, length)
    waiting = waiting.slice(length)
    waitingBytes -= bytes
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
