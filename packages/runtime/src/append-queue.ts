import type { NewRecord, OperatingError, Position } from '@switchyard/kernel'
import type { AppenderLimits } from './limits.ts'

/** Who waits for an event to be durable. */
interface Receipt {
  readonly resolve: (position: Position) => void
  readonly reject: (error: unknown) => void
  /** On the clock of the appender, milliseconds. */
  readonly deadlineMs: number
}

/** An encoded event on its way: with a receipt it is acknowledged, without one it may be dropped. */
export interface AppendEntry {
  readonly record: NewRecord
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

/** Events in the order of arrival; decisions can leave it out of turn, oldest first. */
export interface AppendQueue {
  readonly pushAwaited: (record: NewRecord, receipt: Receipt) => 'queued' | 'full'
  /** How many events were dropped to make room. */
  readonly pushLossy: (record: NewRecord) => number
  readonly shift: () => AppendEntry | undefined
  readonly count: () => number
  readonly awaitedCount: () => number
  /** Deadline of the oldest acknowledged event. */
  readonly nextDeadlineMs: () => number | undefined
  /** Takes the acknowledged events whose deadline has passed and rejects them. */
  readonly expire: (nowMs: number, error: OperatingError) => void
}

/** An empty {@link AppendQueue}: two lanes, merged by the sequence of arrival. */
export const createAppendQueue = (limits: Pick<AppenderLimits, 'lossyCountMax' | 'awaitedCountMax'>): AppendQueue => {
  const lossy = createFifo<AppendEntry>()
  const awaited = createFifo<AppendEntry>()
  let sequence = 0

  return {
    pushAwaited: (record, receipt) => {
      if (awaited.count() >= limits.awaitedCountMax) return 'full'
      awaited.push({ record, sequence: sequence++, receipt, awaited: true, failed: false })
      return 'queued'
    },
    pushLossy: (record) => {
      lossy.push({ record, sequence: sequence++, receipt: undefined, awaited: false, failed: false })
      if (lossy.count() <= limits.lossyCountMax) return 0
      lossy.shift()
      return 1
    },
    shift: () => {
      const decision = lossy.peek()
      const outcome = awaited.peek()
      if (decision === undefined || (outcome !== undefined && outcome.sequence < decision.sequence)) return awaited.shift()
      return lossy.shift()
    },
    count: () => lossy.count() + awaited.count(),
    awaitedCount: awaited.count,
    nextDeadlineMs: () => awaited.peek()?.receipt?.deadlineMs,
    expire: (nowMs, error) => {
      for (let first = awaited.peek(); first?.receipt !== undefined && first.receipt.deadlineMs <= nowMs; first = awaited.peek()) {
        first.receipt.reject(error)
        awaited.shift()
      }
    },
  }
}
