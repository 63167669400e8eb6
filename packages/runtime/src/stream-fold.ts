import { type ConfigEvent, EVENT_CATALOGUE, type SwitchyardEvent } from '@switchyard/events'
import { assert, BEFORE_FIRST, hash53, isAfter, type LogRecord, type Position } from '@switchyard/kernel'

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
  /** By the number of the slice, undefined for one without: one look into memory instead of three. */
  readonly states: unknown[]
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

/** An empty {@link StreamFold} of these slices. */
export const createStreamFold = (slices: readonly FoldedSlice[]): StreamFold => {
  const streams = new Map<string, Stream>()
  const folders = foldersByType(slices)
  const numbers = new Map(slices.map(({ name }, number) => [name, number]))
  /** What was asked for last: one request asks a dozen times for one key. */
  let lastKey: string | undefined
  let lastStream: Stream | undefined

  const find = (key: string): Stream | undefined => {
    if (key === lastKey) return lastStream
    lastStream = streams.get(key)
    lastKey = key
    return lastStream
  }

  const add = (key: string, stream: Stream): Stream => {
    streams.set(key, stream)
    lastKey = undefined
    return stream
  }

  const streamOf = (key: string, partition: number): Stream =>
    find(key) ??
    add(key, { position: { partition, offset: BEFORE_FIRST }, states: slices.map(() => undefined), versions: new Map(), command: null })

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
    for (const { slice, number } of concerned) stream.states[number] = evolved(slice, stream.states[number], event)
    return 'effective'
  }

  return {
    apply,
    stateOf: (sliceName, key) => find(key)?.states[numbers.get(sliceName) ?? -1],
    versionOf: (key, aggregate) => find(key)?.versions.get(aggregate) ?? 0,
    partitionOf: (key) => find(key)?.position.partition,
    keys: () => streams.keys(),
    load: (key, position, { states, versions, command }) => {
      const ofSlices = slices.map(({ name }) => states[name])
      add(key, { position, states: ofSlices, versions: new Map(Object.entries(versions)), command })
    },
    documentOf: (key) => {
      const stream = find(key)
      assert(stream !== undefined, `nothing was recorded under the key ${key}`)
      const { position, states, versions, command } = stream
      const named = slices.flatMap(({ name }, number) => (states[number] === undefined ? [] : [[name, states[number]] as const]))
      return { position, body: { states: Object.fromEntries(named), versions: Object.fromEntries(versions), command } }
    },
  }
}
