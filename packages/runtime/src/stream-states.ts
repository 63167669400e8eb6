import type { EventCodec } from '@switchyard/events'
import {
  type EventLog,
  includes,
  type KeySpace,
  type LogRecord,
  OperatingError,
  type Position,
  type ReadStore,
  type Slice,
  type Subscription,
} from '@switchyard/kernel'
import { decodeConfigEvent, unlessPoison } from './decode-event.ts'
import { loadedWhole } from './generations.ts'
import { WATCHED_RECORDS_MAX } from './limits.ts'
import { createProgress } from './progress.ts'
import { createReadIndex } from './read-index.ts'
import { loadStreams } from './stream-documents.ts'
import { createStreamFold, type FoldedSlice, type FoldResult, fingerprintOf } from './stream-fold.ts'
import { systemTimers, type Timers } from './timers.ts'

/** The part of a slice that reading its state needs. */
export type StateOf<State> = Pick<Slice<never, State, never, never>, 'name' | 'initialState'>

/**
 * The topic `config`, folded in memory: for each key the states of all slices, and the versions of its aggregates (law 5).
 * One instance a process (a thread) serves command handling and decisions.
 */
export interface StreamStates {
  /** The slice's state for a key; its initial state when nothing was recorded. Same object until it changes. */
  readonly stateOf: <State>(slice: StateOf<State>, key: string) => State
  /** Waits until the fold has included `position`; rejects with `POSITION_NOT_REACHED` after the bound. */
  readonly waitFor: (position: Position) => Promise<void>
  /** Linearizable reads (law 6): waits until everything that stands in the key's partition now is folded. Coalesced. */
  readonly readIndex: (key: string) => Promise<void>
  /** {@link readIndex} over all partitions, for look-ups that do not know their key. */
  readonly readIndexOfAll: () => Promise<void>
  /** Calls `listener` for every key whose states changed, and once for every key that is loaded or known already. */
  readonly onChange: (listener: (key: string) => void) => void
}

/** Tells what became of records that this process appends; watched from before the append until {@link release}. */
export interface EffectWatch {
  /** Whether all of them were folded and took effect. */
  readonly tookEffect: () => boolean
  readonly release: () => void
}

/** What the command handler needs beside reading. */
export interface VersionedStates extends StreamStates {
  /** Events of the aggregate that took effect under this key. */
  readonly versionOf: (key: string, aggregate: string) => number
  readonly watch: (recordIds: readonly string[]) => EffectWatch
}

/** {@link StreamStates} that follow the log. */
export interface RunningStreamStates extends VersionedStates {
  /** Loads stored states, catches up to the end of the log as it is now, then tails. */
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
  /** Keys under which anything stands. */
  readonly knownKeys: () => Iterable<string>
  /** Whether everything that stands in the topic now is folded. */
  readonly isCaughtUp: () => Promise<boolean>
}

/** What {@link createStreamStates} needs. */
export interface StreamStatesDependencies {
  readonly log: EventLog
  readonly store: ReadStore
  readonly codec: EventCodec
  /** The same list as the projector's, else nothing stored fits and the log is replayed. */
  readonly slices: readonly FoldedSlice[]
  /** Shared with whoever keeps something under the same keys. */
  readonly keys?: KeySpace
  /** Names of slices whose states are read one after another: see {@link createStreamFold}. */
  readonly together?: ReadonlySet<string>
  /** The tail can't go on: states don't move any more, and whoever waits is refused. */
  readonly onFailure: (error: unknown) => void
  readonly timers?: Timers
}

const createWatches = (): { readonly watch: VersionedStates['watch']; readonly settle: (id: string, result: FoldResult) => void } => {
  const effects = new Map<string, boolean>()
  return {
    watch: (recordIds) => {
      if (effects.size + recordIds.length > WATCHED_RECORDS_MAX) {
        throw new OperatingError('APPEND_BUFFER_FULL', `more than ${WATCHED_RECORDS_MAX} records are under way`, { retryable: true })
      }
      for (const id of recordIds) effects.set(id, false)
      return {
        tookEffect: () => recordIds.every((id) => effects.get(id) === true),
        release: () => {
          for (const id of recordIds) effects.delete(id)
        },
      }
    },
    settle: (id, result) => {
      // A second copy of a record, as a log may have after a failure, takes nothing back.
      if (effects.has(id) && result === 'effective') effects.set(id, true)
    },
  }
}

/** States are kept by the slice's name, so what stands there is a state of that slice. */
const isStateOf = <State>(_slice: StateOf<State>, state: unknown): state is State => state !== undefined

/** The one {@link StreamStates} of a process; `stateOf` works once `start` has resolved. */
export const createStreamStates = (dependencies: StreamStatesDependencies): RunningStreamStates => {
  const { log, store, codec, slices, keys, together, onFailure, timers = systemTimers } = dependencies
  const fold = createStreamFold(slices, keys, together)
  const progress = createProgress('config', timers)
  const readIndex = createReadIndex({ log, topic: 'config', progress, partitionOf: fold.partitionOf, timers })
  const watches = createWatches()
  const listeners: ((key: string) => void)[] = []
  let tail: Subscription | undefined

  const changed = (key: string): void => {
    for (const listener of listeners) listener(key)
  }

  const include = (records: readonly LogRecord[]): void => {
    for (const record of records) {
      const event = unlessPoison(() => decodeConfigEvent(codec, record.value))
      const result = event === undefined ? 'ineffective' : fold.apply(record, event)
      watches.settle(record.headers.id, result)
      if (result === 'effective') changed(record.key)
    }
    const last = records.at(-1)?.position
    if (last !== undefined) progress.advance(last.partition, last.offset)
  }

  const fail = (error: unknown): void => {
    progress.end(error)
    onFailure(error)
  }

  const start = async (): Promise<void> => {
    const stored = await loadedWhole(store, 'config', (documents) => loadStreams(documents, fold, fingerprintOf(slices)))
    for (const [partition, offset] of stored) progress.advance(partition, offset)
    for (const key of fold.keys()) changed(key)
    for await (const records of log.read('config', stored)) include(records)
    tail = log.subscribe({ topic: 'config', from: new Map(progress.positions()), handle: include, onFailure: fail })
  }

  return {
    stateOf: (slice, key) => {
      const state = fold.stateOf(slice.name, key)
      return isStateOf(slice, state) ? state : slice.initialState
    },
    versionOf: fold.versionOf,
    watch: watches.watch,
    waitFor: progress.waitFor,
    readIndex: readIndex.of,
    readIndexOfAll: readIndex.ofAll,
    onChange: (listener) => {
      listeners.push(listener)
      for (const key of fold.keys()) listener(key)
    },
    knownKeys: fold.keys,
    start,
    stop: async () => {
      await tail?.stop()
      progress.end()
    },
    isCaughtUp: async () =>
      [...(await log.endPositions('config'))].every(([partition, offset]) => includes(progress.positions(), { partition, offset })),
  }
}
