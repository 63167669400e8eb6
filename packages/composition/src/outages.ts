import type { DocumentKey, EventLog, RangeQuery, ReadStore } from '@switchyard/kernel'
import { type LifecycleReport, systemTimers, type Timers } from '@switchyard/runtime'

/** How long calls fail before a person is told, and how long until that is told again, milliseconds. */
const SILENCE_MAX_MS = 3_000
const REMINDER_EVERY_MS = 120_000

/** Who hears of it, and by which clock. */
interface Telling {
  readonly report: LifecycleReport
  readonly timers?: Timers
}

/** Hears how each call ended: with a failure, or undefined. */
type Hear = (failure: unknown) => void

/** Those who wait try again in silence: says after a while why nothing is done, now and then again, and when it is over. */
const outageOf = (what: string, done: 'read' | 'written', { report, timers = systemTimers }: Telling): Hear => {
  let sinceMs: number | undefined
  let toldMs: number | undefined
  return (failure) => {
    if (failure === undefined) {
      if (toldMs !== undefined) report.info(`${what} is ${done} again`)
      sinceMs = undefined
      toldMs = undefined
      return
    }
    const nowMs = timers.now()
    sinceMs ??= nowMs
    if (nowMs - sinceMs < SILENCE_MAX_MS || (toldMs !== undefined && nowMs - toldMs < REMINDER_EVERY_MS)) return
    toldMs = nowMs
    report.failed(`${what} can't be ${done}; it is tried again until it can`, failure)
  }
}

const heard = async <Value>(call: Promise<Value>, hear: Hear): Promise<Value> => {
  try {
    const value = await call
    hear(undefined)
    return value
  } catch (failure) {
    hear(failure)
    throw failure
  }
}

/** As `hear`, from the first call on that was answered: of a server that is away at the start who starts tells by itself. */
const onceAnswered = (hear: Hear): Hear => {
  let hasAnswered = false
  return (failure) => {
    hasAnswered ||= failure === undefined
    if (hasAnswered) hear(failure)
  }
}

/**
 * A read store that tells when it can't be written, or read, for a while: what is projected waits for it, and a process may not be ready because of it. Of a
 * server that is away nothing is written, since the documents to be changed are read before.
 */
export const tellingStore = (store: ReadStore, telling: Telling): ReadStore => {
  const writing = outageOf('the read store', 'written', telling)
  const reading = onceAnswered(outageOf('the read store', 'read', telling))
  return {
    ...store,
    get: <Body>(collection: string, key: DocumentKey) => heard(store.get<Body>(collection, key), reading),
    getMany: <Body>(collection: string, keys: readonly DocumentKey[]) => heard(store.getMany<Body>(collection, keys), reading),
    range: <Body>(query: RangeQuery) => heard(store.range<Body>(query), reading),
    write: (writes) => heard(store.write(writes), writing),
  }
}

/** A way into the log that tells when it is closed for a while: decisions wait before it, and are lost when the process ends meanwhile. */
export const tellingLog = (log: EventLog, telling: Telling): EventLog => {
  const hear = outageOf('the event log', 'written', telling)
  return { ...log, append: (topic, records) => heard(log.append(topic, records), hear) }
}
