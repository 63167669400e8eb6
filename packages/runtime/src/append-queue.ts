import type { NewRecord, OperatingError, Position } from '@switchyard/kernel'
import type { AppenderLimits } from './limits.ts'

/** Who waits for events to be durable. */
interface Receipt {
  readonly resolve: (positions: readonly Position[]) => void
  readonly reject: (error: unknown) => void
  /** On the clock of the appender, milliseconds. */
  readonly deadlineMs: number
}

/** Encoded events that are acknowledged together. */
interface AwaitedEvents {
  readonly records: readonly NewRecord[]
  /** How many that may be dropped came before them. */
  readonly lossyCountBefore: number
  /** Undefined once the caller was told that it failed: whoever was sends it again, as a new event. */
  receipt: Receipt | undefined
}

/** Acknowledged events within a batch. */
export interface AwaitedPart {
  readonly events: AwaitedEvents
  /** Place of the first of them. */
  readonly start: number
}

/** Events on their way to the log together, in the order of arrival. */
export interface AppendBatch {
  readonly records: readonly NewRecord[]
  readonly awaited: readonly AwaitedPart[]
  /** Those of the records that may be dropped. */
  readonly lossyCount: number
}

/** First in, first out, in amortised constant time. */
interface Fifo<Item> {
  readonly push: (item: Item) => void
  readonly peek: () => Item | undefined
  readonly shift: () => Item | undefined
  readonly count: () => number
}

/** Taken items that are kept until the array is cut. */
const FIFO_CUT_COUNT = 1_024

const createFifo = <Item>(): Fifo<Item> => {
  let items: (Item | undefined)[] = []
  let head = 0
  return {
    push: (item) => {
      items.push(item)
    },
    peek: () => items[head],
    shift: () => {
      const item = items[head]
      if (item === undefined) return undefined
      items[head] = undefined
      head += 1
      if (head >= FIFO_CUT_COUNT && head * 2 >= items.length) {
        items = items.slice(head)
        head = 0
      }
      return item
    },
    count: () => items.length - head,
  }
}

/** Nothing on its way. */
export const NO_BATCH: AppendBatch = { records: [], awaited: [], lossyCount: 0 }

/** How much goes into one batch at most. */
type BatchLimits = Pick<AppenderLimits, 'batchCountMax' | 'batchBytesMax'>

/** Events in the order of arrival; decisions can leave it out of turn, oldest first. Counts are those of events. */
export interface AppendQueue {
  readonly pushAwaited: (records: readonly NewRecord[], receipt: Receipt) => 'queued' | 'full'
  /** How many events were dropped to make room. */
  readonly pushLossy: (record: NewRecord) => number
  /** Takes the next events out. */
  readonly takeBatch: (limits: BatchLimits) => AppendBatch
  readonly count: () => number
  readonly awaitedCount: () => number
  /** Deadline of the oldest acknowledged events. */
  readonly nextDeadlineMs: () => number | undefined
  /** Takes the acknowledged events whose deadline has passed and rejects them. */
  readonly expire: (nowMs: number, error: OperatingError) => void
}

/** What waits, in the order of arrival. */
interface Waiting {
  readonly lossy: Fifo<NewRecord>
  readonly awaited: Fifo<AwaitedEvents>
  /** How many that may be dropped ever came. */
  readonly lossyCountSoFar: () => number
  /** What those that wait take. */
  readonly lossyBytes: () => number
  /** Whether what is acknowledged came before everything that may be dropped. */
  readonly isAwaitedNext: () => boolean
}

const createWaiting = (): Waiting => {
  const lossy = createFifo<NewRecord>()
  const awaited = createFifo<AwaitedEvents>()
  let goneCount = 0
  let bytes = 0
  const push = (record: NewRecord): void => {
    bytes += record.value.length
    lossy.push(record)
  }
  const shift = (): NewRecord | undefined => {
    const record = lossy.shift()
    if (record === undefined) return undefined
    bytes -= record.value.length
    goneCount += 1
    return record
  }
  return {
    lossy: { ...lossy, push, shift },
    awaited,
    lossyCountSoFar: () => goneCount + lossy.count(),
    lossyBytes: () => bytes,
    isAwaitedNext: () => (awaited.peek()?.lossyCountBefore ?? Infinity) <= goneCount,
  }
}

const takeBatch = ({ lossy, awaited, isAwaitedNext }: Waiting, { batchCountMax, batchBytesMax }: BatchLimits): AppendBatch => {
  const records: NewRecord[] = []
  const taken: AwaitedPart[] = []
  let [lossyCount, bytes] = [0, 0]
  const add = (record: NewRecord): void => {
    records.push(record)
    bytes += record.value.length
  }
  while (records.length < batchCountMax && bytes < batchBytesMax) {
    const events = isAwaitedNext() ? awaited.shift() : undefined
    if (events !== undefined) {
      taken.push({ events, start: records.length })
      for (const record of events.records) add(record)
      continue
    }
    const record = lossy.shift()
    if (record === undefined) break
    add(record)
    lossyCount += 1
  }
  return { records, awaited: taken, lossyCount }
}

/**
 * An empty {@link AppendQueue}: two lanes, merged in the order of arrival. What may be dropped stands in its lane as it is: while it
 * waits, every object around it would be copied by the collector.
 */
export const createAppendQueue = (limits: Pick<AppenderLimits, 'lossyCountMax' | 'lossyBytesMax' | 'awaitedCountMax'>): AppendQueue => {
  const waiting = createWaiting()
  const { lossy, awaited } = waiting
  let awaitedCount = 0
  const isOverfull = (): boolean => lossy.count() > limits.lossyCountMax || waiting.lossyBytes() > limits.lossyBytesMax

  return {
    pushAwaited: (records, receipt) => {
      if (awaitedCount + records.length > limits.awaitedCountMax) return 'full'
      awaited.push({ records, lossyCountBefore: waiting.lossyCountSoFar(), receipt })
      awaitedCount += records.length
      return 'queued'
    },
    pushLossy: (record) => {
      lossy.push(record)
      let droppedCount = 0
      for (; isOverfull(); droppedCount++) lossy.shift()
      return droppedCount
    },
    takeBatch: (batchLimits) => {
      const batch = takeBatch(waiting, batchLimits)
      awaitedCount -= batch.records.length - batch.lossyCount
      return batch
    },
    count: () => lossy.count() + awaitedCount,
    awaitedCount: () => awaitedCount,
    nextDeadlineMs: () => awaited.peek()?.receipt?.deadlineMs,
    expire: (nowMs, error) => {
      for (let first = awaited.peek(); first?.receipt !== undefined && first.receipt.deadlineMs <= nowMs; first = awaited.peek()) {
        first.receipt.reject(error)
        awaitedCount -= first.records.length
        awaited.shift()
      }
    },
  }
}
