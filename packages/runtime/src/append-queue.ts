import type { NewRecord, OperatingError, Position } from '@switchyard/kernel'
import type { AppenderLimits } from './limits.ts'

/** Who waits for events to be durable. */
interface Receipt {
  readonly resolve: (positions: readonly Position[]) => void
  readonly reject: (error: unknown) => void
  /** On the clock of the appender, milliseconds. */
  readonly deadlineMs: number
}

/** Encoded events on their way together: with a receipt they are acknowledged, without one they may be dropped. */
export interface AppendEntry {
  readonly records: readonly NewRecord[]
  readonly sequence: number
  /** Undefined also when the caller was told that it failed. */
  receipt: Receipt | undefined
  readonly awaited: boolean
  /** Given up; whoever cared was told. */
  failed: boolean
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

/** Events of these entries. */
export const recordCountOf = (entries: readonly AppendEntry[]): number => entries.reduce((sum, { records }) => sum + records.length, 0)

/** Events in the order of arrival; decisions can leave it out of turn, oldest first. Counts are those of events. */
export interface AppendQueue {
  readonly pushAwaited: (records: readonly NewRecord[], receipt: Receipt) => 'queued' | 'full'
  /** How many events were dropped to make room. */
  readonly pushLossy: (record: NewRecord) => number
  readonly shift: () => AppendEntry | undefined
  readonly count: () => number
  readonly awaitedCount: () => number
  /** Deadline of the oldest acknowledged events. */
  readonly nextDeadlineMs: () => number | undefined
  /** Takes the acknowledged events whose deadline has passed and rejects them. */
  readonly expire: (nowMs: number, error: OperatingError) => void
}

/** An empty {@link AppendQueue}: two lanes, merged by the sequence of arrival. */
export const createAppendQueue = (limits: Pick<AppenderLimits, 'lossyCountMax' | 'awaitedCountMax'>): AppendQueue => {
  const lossy = createFifo<AppendEntry>()
  const awaited = createFifo<AppendEntry>()
  let awaitedCount = 0
  let sequence = 0

  const shiftAwaited = (): AppendEntry | undefined => {
    const entry = awaited.shift()
    awaitedCount -= entry?.records.length ?? 0
    return entry
  }

  return {
    pushAwaited: (records, receipt) => {
      if (awaitedCount + records.length > limits.awaitedCountMax) return 'full'
      awaited.push({ records, sequence: sequence++, receipt, awaited: true, failed: false })
      awaitedCount += records.length
      return 'queued'
    },
    pushLossy: (record) => {
      lossy.push({ records: [record], sequence: sequence++, receipt: undefined, awaited: false, failed: false })
      if (lossy.count() <= limits.lossyCountMax) return 0
      lossy.shift()
      return 1
    },
    shift: () => {
      const decision = lossy.peek()
      const outcome = awaited.peek()
      if (decision === undefined || (outcome !== undefined && outcome.sequence < decision.sequence)) return shiftAwaited()
      return lossy.shift()
    },
    count: () => lossy.count() + awaitedCount,
    awaitedCount: () => awaitedCount,
    nextDeadlineMs: () => awaited.peek()?.receipt?.deadlineMs,
    expire: (nowMs, error) => {
      for (let first = awaited.peek(); first?.receipt !== undefined && first.receipt.deadlineMs <= nowMs; first = awaited.peek()) {
        first.receipt.reject(error)
        shiftAwaited()
      }
    },
  }
}
