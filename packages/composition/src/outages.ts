import type { EventLog, ReadStore } from '@switchyard/kernel'
import { type LifecycleReport, systemTimers, type Timers } from '@switchyard/runtime'

/** How long writes fail before a person is told, and how long until that is told again, milliseconds. */
const SILENCE_MAX_MS = 3_000
const REMINDER_EVERY_MS = 120_000

/** Who hears of it, and by which clock. */
interface Telling {
  readonly report: LifecycleReport
  readonly timers?: Timers
}

/** Hears how each write ended: with a failure, or undefined. */
type Hear = (failure: unknown) => void

/** Those who wait try again in silence: says after a while why nothing is written, now and then again, and when it is over. */
const outageOf = (what: string, { report, timers = systemTimers }: Telling): Hear => {
  let sinceMs: number | undefined
  let toldMs: number | undefined
  return (failure) => {
    if (failure === undefined) {
      if (toldMs !== undefined) report.info(`${what} is written again`)
      sinceMs = undefined
      toldMs = undefined
      return
    }
    const nowMs = timers.now()
    sinceMs ??= nowMs
    if (nowMs - sinceMs < SILENCE_MAX_MS || (toldMs !== undefined && nowMs - toldMs < REMINDER_EVERY_MS)) return
    toldMs = nowMs
    report.failed(`${what} can't be written; it is tried again until it can`, failure)
  }
}

const heard = async <Value>(writing: Promise<Value>, hear: Hear): Promise<Value> => {
  try {
    const value = await writing
    hear(undefined)
    return value
  } catch (failure) {
    hear(failure)
    throw failure
  }
}

/** A read store that tells when it can't be written for a while: what is projected waits for it, and a process may not be ready because of it. */
export const tellingStore = (store: ReadStore, telling: Telling): ReadStore => {
  const hear = outageOf('the read store', telling)
  return { ...store, write: (writes) => heard(store.write(writes), hear) }
}

/** A way into the log that tells when it is closed for a while: decisions wait before it, and are lost when the process ends meanwhile. */
export const tellingLog = (log: EventLog, telling: Telling): EventLog => {
  const hear = outageOf('the event log', telling)
  return { ...log, append: (topic, records) => heard(log.append(topic, records), hear) }
}
