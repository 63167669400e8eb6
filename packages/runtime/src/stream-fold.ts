import { type ConfigEvent, EVENT_CATALOGUE, type SwitchyardEvent } from '@switchyard/events'
import { assert, BEFORE_FIRST, createKeySpace, hash53, isAfter, type KeySpace, type LogRecord, type Position } from '@switchyard/kernel'
import { CommonStates } from './common-states.ts'

/** Raised when the way of folding changes: stored states of an earlier way are left alone and the log is replayed. */
const FOLD_VERSION = '1'

/** What folding needs of a slice, whatever its state and events are. */
export interface FoldedSlice {
  readonly name: string
  readonly version: number
  readonly initialState: unknown
  readonly folds: readonly string[]
  readonly conflicts: 'by-version' | 'commute'
  readonly evolve: (state: never, event: never) => unknown
}

/** Body of a document of `stream-states-v1`: what stands under one key of the topic `config`. */
export interface StreamBody {
  readonly states: Readonly<Record<string, unknown>>
  readonly versions: Readonly<Record<string, number>>
  /** The last command whose events carried versions, and whether they took effect. */
  readonly command: CommandFate | null
}

interface CommandFate {
  readonly id: string
  readonly effective: boolean
}

/** `included`: the state held the event already. `ineffective`: the version had moved on (law 5). */
export type FoldResult = 'effective' | 'ineffective' | 'included'

/** The fold of the topic `config` in memory: one writer, no I/O. */
export interface StreamFold {
  readonly apply: (record: LogRecord, event: ConfigEvent) => FoldResult
  /** The state of the slice, undefined when nothing was recorded for it. */
  readonly stateOf: (sliceName: string, key: string) => unknown
  readonly versionOf: (key: string, aggregate: string) => number
  readonly partitionOf: (key: string) => number | undefined
  readonly keys: () => Iterable<string>
  readonly load: (key: string, position: Position, body: StreamBody) => void
  readonly documentOf: (key: string) => { readonly position: Position; readonly body: StreamBody }
}

interface Stream {
  position: Position
  readonly versions: Map<string, number>
  command: CommandFate | null
}

/** The aggregate whose version an event counts towards: its kind, or kind and id as JSON (law 9: never joined). */
export const aggregateOf = (event: SwitchyardEvent): string => {
  const { kind, idField } = EVENT_CATALOGUE[event.type].aggregate
  return idField === undefined ? kind : JSON.stringify([kind, Reflect.get(event.data, idField)])
}

/**
 * Ids of a command's events. They stand and fall together: the first one's version decides for all, and the fold knows
 * the others by their id, `<first id>.<index>`. Versions alone would let the second event of a beaten command pass when
 * the winner recorded a single event.
 */
export const eventIdsOf = (commandId: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => (index === 0 ? commandId : `${commandId}.${index}`))

/** Names the slices and the way of folding: states that were stored under another fingerprint don't fit. */
export const fingerprintOf = (slices: readonly FoldedSlice[]): string => {
  const parts = slices.map(({ name, version, conflicts, folds }) => JSON.stringify([name, version, conflicts, folds.toSorted()]))
  return hash53(FOLD_VERSION, ...parts.toSorted()).toString(36)
}

const takesEffect = ({ headers: { id, expectedVersion } }: LogRecord, stream: Stream, aggregate: string): boolean => {
  if (expectedVersion === undefined) return true
  if (stream.command !== null && id.startsWith(`${stream.command.id}.`)) return stream.command.effective
  return expectedVersion === (stream.versions.get(aggregate) ?? 0)
}

const fateOf = (record: LogRecord, stream: Stream, effective: boolean): CommandFate | null => {
  const { id, expectedVersion } = record.headers
  const follows = stream.command !== null && id.startsWith(`${stream.command.id}.`)
  return expectedVersion === undefined || follows ? stream.command : { id, effective }
}

/** A slice, and where its states stand in a stream. */
interface Folder {
  readonly slice: FoldedSlice
  readonly number: number
}

const foldersByType = (slices: readonly FoldedSlice[]): ReadonlyMap<string, readonly Folder[]> => {
  const folders = new Map<string, Folder[]>()
  for (const [number, slice] of slices.entries()) {
    for (const type of slice.folds) folders.set(type, [...(folders.get(type) ?? []), { slice, number }])
  }
  return folders
}

/** Events of slices that commute are never checked, so their versions need not be remembered. */
const isCounted = (folders: readonly Folder[]): boolean =>
  folders.length === 0 || folders.some(({ slice }) => slice.conflicts === 'by-version')

/** What a slice's `evolve` takes is unknown here; these are the pairs that it is made for: states stand under its name, events in `folds`. */
const isOwnState = (_slice: FoldedSlice, _state: unknown): _state is never => true
const isOwnEvent = ({ folds }: FoldedSlice, event: ConfigEvent): event is never => folds.includes(event.type)

const evolved = (slice: FoldedSlice, before: unknown, event: ConfigEvent): unknown => {
  const state = before ?? slice.initialState
  assert(isOwnState(slice, state), `${slice.name} folds its own states only`)
  assert(isOwnEvent(slice, event), `${slice.name} folds its own events only`)
  return slice.evolve(state, event)
}

/** An empty {@link StreamFold} of these slices; `keys` may be shared with whoever keeps something under the same ones. */
export const createStreamFold = (slices: readonly FoldedSlice[], keys: KeySpace = createKeySpace()): StreamFold => {
  const streams = keys.table<Stream>()
  /** A column for each slice. */
  const states = keys.table<unknown>(slices.length)
  const common = new CommonStates()
  const keep = (key: string, number: number, state: unknown): void => states.set(key, common.of(number, state), number)
  const folders = foldersByType(slices)
  const numbers = new Map(slices.map(({ name }, number) => [name, number]))

  const streamOf = (key: string, partition: number): Stream => {
    const known = streams.get(key)
    if (known !== undefined) return known
    const added = { position: { partition, offset: BEFORE_FIRST }, versions: new Map(), command: null }
    streams.set(key, added)
    return added
  }

  const apply = (record: LogRecord, event: ConfigEvent): FoldResult => {
    const stream = streamOf(record.key, record.position.partition)
    if (!isAfter(record.position, stream.position)) return 'included'
    const aggregate = aggregateOf(event)
    const effective = takesEffect(record, stream, aggregate)
    stream.position = record.position
    stream.command = fateOf(record, stream, effective)
    if (!effective) return 'ineffective'
    const concerned = folders.get(event.type) ?? []
    if (isCounted(concerned)) stream.versions.set(aggregate, (stream.versions.get(aggregate) ?? 0) + 1)
    for (const { slice, number } of concerned) keep(record.key, number, evolved(slice, states.get(record.key, number), event))
    return 'effective'
  }

  return {
    apply,
    stateOf: (sliceName, key) => {
      const number = numbers.get(sliceName)
      return number === undefined ? undefined : states.get(key, number)
    },
    versionOf: (key, aggregate) => streams.get(key)?.versions.get(aggregate) ?? 0,
    partitionOf: (key) => streams.get(key)?.position.partition,
    keys: streams.keys,
    load: (key, position, { states: stored, versions, command }) => {
      streams.set(key, { position, versions: new Map(Object.entries(versions)), command })
      for (const [number, { name }] of slices.entries()) keep(key, number, stored[name])
    },
    documentOf: (key) => {
      const stream = streams.get(key)
      assert(stream !== undefined, `nothing was recorded under the key ${key}`)
      const { position, versions, command } = stream
      const ofSlices = slices.map(({ name }, number) => [name, states.get(key, number)] as const)
      const named = ofSlices.filter(([, state]) => state !== undefined)
      return { position, body: { states: Object.fromEntries(named), versions: Object.fromEntries(versions), command } }
    },
  }
}
