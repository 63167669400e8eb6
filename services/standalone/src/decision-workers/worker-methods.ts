import type { MessagePort } from 'node:worker_threads'
import type { ThreadFigures } from '@switchyard/composition'
import type { Settings } from '@switchyard/runtime'
import type { ThreadPlaces } from '../service-thread.ts'

/** What a decision worker works on, and what it was told. */
export interface DecisionWorkerStart extends ThreadPlaces {
  readonly settings: Pick<
    Settings,
    | 'adminSecret'
    | 'rateLimits'
    | 'people'
    | 'downtime'
    | 'scoring'
    | 'contractRatesDecide'
    | 'contractRatesFile'
    | 'gatewayErrorsFile'
    | 'ruleDataFiles'
    | 'debitDataFiles'
  >
  /** Signs session tokens. */
  readonly sessionSecret: string
  /** Its place in {@link DecisionWorkerStart.connectionCounts}. */
  readonly thread: number
  /** See `connection-counts.ts`. */
  readonly connectionCounts: SharedArrayBuffer
  /** See `shared-recent-decisions.ts` of `decide`. */
  readonly recentDecisions: SharedArrayBuffer
  /** Brings descriptors of connections, and takes back {@link ReturnedConnection}s. */
  readonly connections: MessagePort
}

/** A connection that asks for something else than decisions: what the worker has read of it comes along. */
export interface ReturnedConnection {
  readonly descriptor: number
  readonly bytes: Uint8Array
}

/** What the main thread asks of a decision worker. */
export type DecisionWorkerMethods = {
  /** Answers when its states have caught up with the log. */
  readonly started: (argument: null) => Promise<void>
  readonly drain: (argument: null) => Promise<void>
  /** Lets running requests finish, within a bound. */
  readonly close: (argument: null) => Promise<void>
  readonly figures: (argument: null) => Promise<ThreadFigures>
  /** Writes what is still to be written, then lets go of log and store. */
  readonly stop: (argument: null) => Promise<void>
}
