import { BEFORE_FIRST, type EventLog, isOperatingError, type LogRecord, type Positions, type Topic } from '@switchyard/kernel'

/** Events of one partition are in the order of their `at` up to this, milliseconds: clocks of replicas, and batches that waited. */
const DISORDER_MAX_MS = 600_000

/** The search ends when this many offsets are left: reading them costs less than another look. */
const REST_COUNT = 1_000

type SeekableLog = Pick<EventLog, 'read' | 'endPositions'>

interface Seen {
  readonly offset: number
  readonly at: number
}

/** The first of these records that can be read. */
const firstReadable = (records: readonly LogRecord[], atOf: (record: LogRecord) => number): Seen | undefined => {
  for (const record of records) {
    try {
      return { offset: record.position.offset, at: atOf(record) }
    } catch (error) {
      if (!isOperatingError(error)) throw error
    }
  }
  return undefined
}

/** The first record behind these positions that has a time; undefined when there is none at hand. */
const firstTime = async (
  log: SeekableLog,
  topic: Topic,
  from: Positions,
  atOf: (record: LogRecord) => number,
): Promise<Seen | 'forgotten' | undefined> => {
  try {
    for await (const records of log.read(topic, from)) return firstReadable(records, atOf)
    return undefined
  } catch (error) {
    if (isOperatingError(error, 'LOG_TRUNCATED')) return 'forgotten'
    throw error
  }
}

/**
 * Positions from which on a reader gets everything that happened at `from` (epoch milliseconds) or later, found by halving:
 * a span of two hours does not read the thirty days before it.
 */
export const seekTime = async (log: SeekableLog, topic: Topic, from: number, atOf: (record: LogRecord) => number): Promise<Positions> => {
  const ends = await log.endPositions(topic)
  const found = new Map<number, number>()
  for (const [partition, end] of ends) {
    let before = BEFORE_FIRST
    let behind = end
    let isForgotten = false
    while (behind - before > REST_COUNT) {
      const middle = Math.floor((before + behind) / 2)
      const seen = await firstTime(log, topic, new Map([...ends, [partition, middle]]), atOf)
      if (seen === 'forgotten') {
        before = middle
        isForgotten = true
      } else if (seen !== undefined && seen.at < from - DISORDER_MAX_MS) {
        before = Math.max(middle, seen.offset)
        isForgotten = false
      } else behind = middle
    }
    // A partition that is absent starts at the first record that is kept.
    if (before > BEFORE_FIRST && !isForgotten) found.set(partition, before)
  }
  return found
}
