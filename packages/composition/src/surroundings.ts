import { randomBytes } from 'node:crypto'
import type { EventCodec } from '@switchyard/events'
import type { HttpLogger } from '@switchyard/http'
import type { EventLog, NewId, Now, ReadStore } from '@switchyard/kernel'
import { createNewId, createRequestTraces, type LifecycleReport, type RequestTraces } from '@switchyard/runtime'
import type { Metrics } from './metrics/metrics.ts'

/** The clock of the process, epoch milliseconds. */
export const now: Now = Date.now

/** Ids of the process: unique, and sorted by time. */
export const newId: NewId = createNewId(now, randomBytes)

/** The traces of the requests of the process. */
export const traces: RequestTraces = createRequestTraces()

/** How a process tells of itself. */
export interface Voices {
  readonly report: LifecycleReport
  /** Hears of failed requests, with their ids. */
  readonly logger: HttpLogger
  readonly metrics: Metrics
  /** A part can't go on: the process should end and be started again. */
  readonly onFailure: (error: unknown) => void
}

/** The engines that a process works on, embedded or real. */
export interface Engines {
  readonly log: EventLog
  readonly store: ReadStore
  readonly codec: EventCodec
}
