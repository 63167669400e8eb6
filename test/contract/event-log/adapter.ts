// oxlint-disable jest/expect-expect, jest/valid-title, jest/no-disabled-tests -- the tests are defined here for those who name them
import { test } from '@jest/globals'
import type { EventLog, LogRecord, NewRecord, Position, Positions, SubscribeOptions, Topic } from '@switchyard/kernel'

/** A log that is open for one test. */
export interface OpenedLog {
  readonly log: EventLog
  /** A handle of its own onto the same log, as another thread or process would have it; closed by {@link dispose}. */
  readonly openReader: () => Promise<EventLog>
  /** Closes and removes everything. */
  readonly dispose: () => Promise<void>
}

/**
 * How the suite gets at an adapter. What an adapter can't do is left out; the tests that need it are then reported as
 * skipped, by name.
 */
export interface EventLogAdapter<Opened extends OpenedLog> {
  /** A new, empty log. */
  readonly open: () => Promise<Opened>
  /** Closes the log and opens what it has stored. */
  readonly reopen?: (opened: Opened) => Promise<Opened>
  /** The next append is refused, and nothing of it stands in the log. */
  readonly failNextAppend?: (opened: Opened) => void
  /** The next append stands in the log, but its caller gets a failure. */
  readonly loseNextAnswer?: (opened: Opened) => void
  /** Appends wait until the function that it returns is called. */
  readonly holdAppends?: (opened: Opened) => () => void
  /** Forgets records, at least up to the first of these positions. */
  readonly truncate?: (opened: Opened, topic: Topic, upTo: Positions) => Promise<void>
}

/** A test with a log of its own. */
export const logTest = <Opened extends OpenedLog>(
  adapter: EventLogAdapter<Opened>,
  name: string,
  run: (opened: Opened) => Promise<void>,
): void => {
  test(name, async () => {
    const opened = await adapter.open()
    try {
      await run(opened)
    } finally {
      await opened.dispose()
    }
  })
}

/** A test of something that not every adapter can do; skipped by name where `capability` is missing. */
export const logTestWith = <Opened extends OpenedLog, Capability>(
  adapter: EventLogAdapter<Opened>,
  capability: Capability | undefined,
  name: string,
  run: (opened: Opened, capability: Capability) => Promise<void>,
): void => {
  if (capability === undefined) test.skip(name, () => {})
  else logTest(adapter, name, async (opened) => await run(opened, capability))
}

let recordCount = 0

/** A record that differs from all others. */
export const recordOf = (key: string): NewRecord => {
  const id = `event-${++recordCount}`
  return { key, value: Buffer.from(`body of ${id}`), headers: { id, type: 'switchyard.payments.OutcomeRecorded' } }
}

export const recordsOf = (key: string, count: number): readonly NewRecord[] => Array.from({ length: count }, () => recordOf(key))

export const idsOf = (records: readonly NewRecord[]): readonly string[] => records.map(({ headers }) => headers.id)

/** All that a read gives, in the order it gives it. */
export const readAll = async (log: EventLog, topic: Topic, from: Positions = new Map()): Promise<readonly LogRecord[]> => {
  const records: LogRecord[] = []
  for await (const batch of log.read(topic, from)) records.push(...batch)
  return records
}

/** For each partition the last of these positions: where somebody stands who has read them. */
export const positionsAfter = (positions: readonly Position[], before: Positions = new Map()): Positions => {
  const result = new Map(before)
  for (const { partition, offset } of positions) result.set(partition, Math.max(offset, result.get(partition) ?? offset))
  return result
}

/** The records of each key, so that nothing is said about the order across keys. */
export const idsByKey = (records: readonly NewRecord[]): ReadonlyMap<string, readonly string[]> => {
  const byKey = new Map<string, string[]>()
  for (const { key, headers } of records) byKey.set(key, [...(byKey.get(key) ?? []), headers.id])
  return byKey
}

/** A tail that keeps what it got. */
export interface CollectingTail {
  readonly records: readonly LogRecord[]
  /** Resolves when that many records have come; rejects when the tail fails before. */
  readonly hasSeen: (count: number) => Promise<void>
  readonly stop: () => Promise<void>
}

export const tailOf = (log: EventLog, options: Pick<SubscribeOptions, 'topic'> & Partial<SubscribeOptions>): CollectingTail => {
  const records: LogRecord[] = []
  const waiting = new Set<{ readonly count: number; readonly resolve: () => void; readonly reject: (error: unknown) => void }>()
  const { stop } = log.subscribe({
    from: new Map(),
    ...options,
    handle: async (batch) => {
      await options.handle?.(batch)
      records.push(...batch)
      for (const waiter of waiting) if (records.length >= waiter.count) waiter.resolve()
    },
    onFailure: (error) => {
      options.onFailure?.(error)
      for (const waiter of waiting) waiter.reject(error)
    },
  })
  return {
    records,
    hasSeen: async (count) => {
      if (records.length >= count) return
      await new Promise<void>((resolve, reject) => waiting.add({ count, resolve, reject }))
    },
    stop,
  }
}

/** A promise and what resolves it: how a test decides when something goes on. */
export const createGate = <Value = void>(): { readonly opened: Promise<Value>; readonly open: (value: Value) => void } => {
  let open: (value: Value) => void = () => {}
  const opened = new Promise<Value>((resolve) => {
    open = resolve
  })
  return { opened, open }
}
