import type { DocumentKey, EventLog, RangeQuery, ReadStore } from '@switchyard/kernel'
import { type LifecycleReport, systemTimers, type Timers } from '@switchyard/runtime'

/** How long a call fails before a person is told, and how long until that is told again, milliseconds. */
const SILENCE_MAX_MS = 3_000
const REMINDER_EVERY_MS = 120_000

/** Behind so long without another attempt a call was given up: longer than the longest wait for an answer and the pause behind it, milliseconds. */
const GIVEN_UP_MS = 30_000

/** Failing calls that are told apart; of more the ones that failed last. */
const FAILING_COUNT_MAX = 64

/** Stands for all calls: none is answered. */
const ANY_CALL = ''

/** Who hears of it, and by which clock. */
interface Telling {
  readonly report: LifecycleReport
  readonly timers?: Timers
}

/** Hears how each attempt at a call ended: with a failure, or undefined. */
type Hear = (call: string, failure: unknown) => void

/** From its first failure to its last one without a success between them. */
interface Failing {
  readonly sinceMs: number
  readonly lastMs: number
}

/**
 * Those who wait try again in silence: says after a while why nothing is done, now and then again, and when it is over. Of each call, too, since one may
 * fail for good while others are answered.
 */
const outageOf = (what: string, done: 'read' | 'written', { report, timers = systemTimers }: Telling): Hear => {
  const failing = new Map<string, Failing>()
  let told: { readonly call: string; readonly atMs: number } | undefined

  const isGivenUp = (call: string): boolean => timers.now() - (failing.get(call)?.lastMs ?? 0) > GIVEN_UP_MS

  const succeed = (call: string): void => {
    if (failing.size === 0) return
    failing.delete(ANY_CALL)
    failing.delete(call)
    if (told === undefined || (told.call !== ANY_CALL && told.call !== call && !isGivenUp(told.call))) return
    report.info(`${what} is ${done} again`)
    told = undefined
    failing.clear()
  }

  /** Milliseconds since the call began to fail. */
  const note = (call: string, nowMs: number): number => {
    const sinceMs = isGivenUp(call) ? nowMs : (failing.get(call)?.sinceMs ?? nowMs)
    failing.delete(call)
    failing.set(call, { sinceMs, lastMs: nowMs })
    for (const [oldest] of failing) if (failing.size > FAILING_COUNT_MAX) failing.delete(oldest)
    return nowMs - sinceMs
  }

  const fail = (ended: string, failure: unknown): void => {
    const nowMs = timers.now()
    for (const call of [ANY_CALL, ended]) {
      const isLong = note(call, nowMs) >= SILENCE_MAX_MS
      if (!isLong || (told !== undefined && nowMs - told.atMs < REMINDER_EVERY_MS)) continue
      told = { call, atMs: nowMs }
      report.failed(`${what} can't be ${done}; it is tried again until it can`, failure)
    }
  }

  return (call, failure) => (failure === undefined ? succeed(call) : fail(call, failure))
}

const heard = async <Value>(call: string, answer: Promise<Value>, hear: Hear): Promise<Value> => {
  try {
    const value = await answer
    hear(call, undefined)
    return value
  } catch (failure) {
    hear(call, failure)
    throw failure
  }
}

/** As `hear`, from the first call on that was answered: of a server that is away at the start who starts tells by itself. */
const onceAnswered = (hear: Hear): Hear => {
  let hasAnswered = false
  return (call, failure) => {
    hasAnswered ||= failure === undefined
    if (hasAnswered) hear(call, failure)
  }
}

/** An attempt that is made again has the same first document. */
const callOf = (collection: string, key: DocumentKey = []): string => [collection, ...key].join('\n')

/**
 * A read store that tells when something can't be written, or read, for a while: what is projected waits for it, and a process may not be ready because
 * of it. Of a server that is away nothing is written, since the documents to be changed are read before.
 */
export const tellingStore = (store: ReadStore, telling: Telling): ReadStore => {
  const writing = outageOf('the read store', 'written', telling)
  const reading = onceAnswered(outageOf('the read store', 'read', telling))
  return {
    ...store,
    get: <Body>(collection: string, key: DocumentKey) => heard(callOf(collection, key), store.get<Body>(collection, key), reading),
    getMany: <Body>(collection: string, keys: readonly DocumentKey[]) =>
      heard(callOf(collection, keys[0]), store.getMany<Body>(collection, keys), reading),
    range: <Body>(query: RangeQuery) => heard(callOf(query.collection, query.prefix), store.range<Body>(query), reading),
    write: (writes) => heard(callOf(writes[0]?.collection ?? '', writes[0]?.key), store.write(writes), writing),
  }
}

/** A way into the log that tells when it is closed for a while: decisions wait before it, and are lost when the process ends meanwhile. */
export const tellingLog = (log: EventLog, telling: Telling): EventLog => {
  const hear = outageOf('the event log', 'written', telling)
  return { ...log, append: (topic, records) => heard(topic, log.append(topic, records), hear) }
}
