import type { EventLog, ReadStore, Topic } from '@switchyard/kernel'
import { createProjectorService, type ProjectorService } from '@switchyard/projector'
import { PROJECTOR_LIMITS, type ShareTopic } from '@switchyard/runtime'
import type { ManualTimers } from './manual-timers.ts'
import { codec, outcome, recordOf, sampleSlices } from './sample.ts'
import { createSampleFold, samplePayments, sampleTotals } from './sample-payments.ts'
import { createStore, documentsOf } from './world.ts'

export interface ProjectorOptions {
  readonly timers?: ManualTimers
  readonly onFailure?: (error: unknown) => void
  readonly ballast?: number
  readonly snapshotEvents?: number
  readonly snapshotMs?: number
  readonly share?: ShareTopic
  readonly restMs?: () => number
}

export const throwing = (error: unknown): void => {
  throw error
}

export const projectorOver = (log: EventLog, store: ReadStore, options: ProjectorOptions = {}): ProjectorService =>
  createProjectorService({
    log,
    store,
    codec,
    now: () => 1_000,
    configSlices: sampleSlices,
    configProjections: [],
    createPaymentFold: () => createSampleFold(options.ballast),
    paymentProjections: [sampleTotals, samplePayments],
    costProjections: [],
    onFailure: options.onFailure ?? throwing,
    limits: { ...PROJECTOR_LIMITS, flushDelayMs: 1, sliceCountMax: 7 },
    snapshotLimits: { eventCountMax: options.snapshotEvents ?? 10, intervalMs: options.snapshotMs ?? 1e9 },
    ...(options.share === undefined ? {} : { share: options.share }),
    ...(options.restMs === undefined ? {} : { restMs: options.restMs }),
    ...(options.timers === undefined ? {} : { timers: options.timers }),
  })

/** Appends outcomes number `from` to `from + count`. */
export const pay = async (log: EventLog, from: number, count: number, merchants = 3): Promise<void> => {
  const numbers = Array.from({ length: count }, (_, i) => from + i)
  await log.append(
    'payments',
    numbers.map((n) => recordOf(outcome(`m_${n % merchants}`, `p_${n % 5}`, `r_${n}`), `e_${n}`)),
  )
}

/** Starts a projector, waits until everything is stored, and stops it. */
export const runOnce = async (log: EventLog, store: ReadStore, options: ProjectorOptions = {}): Promise<void> => {
  const projector = projectorOver(log, store, options)
  await projector.start()
  await projector.caughtUp()
  await projector.stop()
}

export const projected = async (store: ReadStore): Promise<unknown> => ({
  totals: await documentsOf(store, 'sample-totals-v1'),
  payments: await documentsOf(store, 'sample-payments-v1'),
})

/** The documents of one straight replay. */
export const straight = async (log: EventLog): Promise<unknown> => {
  const store = createStore()
  await runOnce(log, store)
  return await projected(store)
}

/** A log that counts the records read (not those tailed). */
export const countReads = (log: EventLog): { readonly log: EventLog; readonly readCount: () => number } => {
  let count = 0
  const read = async function* (topic: Topic, from: Parameters<EventLog['read']>[1]) {
    for await (const records of log.read(topic, from)) {
      count += records.length
      yield records
    }
  }
  return { log: { ...log, read }, readCount: () => count }
}
