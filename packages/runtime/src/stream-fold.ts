import { type ConfigEvent, EVENT_CATALOGUE, type SwitchyardEvent } from '@switchyard/events'
import {
  assert,
  BEFORE_FIRST,
  createKeySpace,
  hash53,
  isAfter,
  type KeySpace,
  type KeyTable,
  type LogRecord,
  type Position,
} from '@switchyard/kernel'
import { CommonStates } from './common-states.ts'
import { VERSIONS_PER_KIND_MAX } from './limits.ts'

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

/** Counts an event of an aggregate. Of a kind that ever new ones come of, such as hand-off codes, those are forgotten that began longest ago. */
const count = (versions: Map<string, number>, aggregate: string): void => {
  const known = versions.get(aggregate)
  versions.set(aggregate, (known ?? 0) + 1)
  if (known !== undefined || versions.size <= VERSIONS_PER_KIND_MAX) return
  const kind = aggregate.slice(0, aggregate.indexOf(',') + 1)
  const alike = kind === '' ? [] : [...versions.keys()].filter((other) => other.startsWith(kind))
  for (const oldest of alike.slice(0, -VERSIONS_PER_KIND_MAX)) versions.delete(oldest)
}

/** A slice, and where its states stand: in a column of a table. */
interface Folder {
  readonly slice: FoldedSlice
  readonly number: number
  readonly table: KeyTable<unknown>
  readonly column: number
}

/** In the order of the slices, whatever tables their states stand in. */
const foldersOf = (slices: readonly FoldedSlice[], keys: KeySpace, together: ReadonlySet<string>): readonly Folder[] => {
  const isTogether = ({ name }: FoldedSlice): boolean => together.has(name)
  const groups = [slices.filter(isTogether), slices.filter((slice) => !isTogether(slice))].map((members) => ({
    members,
    table: keys.table<unknown>(members.length),
  }))
  return slices.map((slice, number) => {
    const group = groups.find(({ members }) => members.includes(slice))
    assert(group !== undefined, `${slice.name} is in a group`)
    return { slice, number, table: group.table, column: group.members.indexOf(slice) }
  })
}

const foldersByType = (folders: readonly Folder[]): ReadonlyMap<string, readonly Folder[]> => {
  const byType = new Map<string, Folder[]>()
  for (const folder of folders) {
    for (const type of folder.slice.folds) byType.set(type, [...(byType.get(type) ?? []), folder])
  }
  return byType
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

const NONE_TOGETHER: ReadonlySet<string> = new Set()

/**
 * An empty {@link StreamFold} of these slices; `keys` may be shared with whoever keeps something under the same ones. States of slices
 * that are named by `together` stand next to each other: who reads all of them of one key after another waits for memory less often.
 */
export const createStreamFold = (
  slices: readonly FoldedSlice[],
  keys: KeySpace = createKeySpace(),
  together: ReadonlySet<string> = NONE_TOGETHER,
): StreamFold => {
  const streams = keys.table<Stream>()
  const common = new CommonStates()
  const keep = (key: string, { number, table, column }: Folder, state: unknown): void => table.set(key, common.of(number, state), column)
  const folders = foldersOf(slices, keys, together)
  const byType = foldersByType(folders)
  const byName = new Map(folders.map((folder) => [folder.slice.name, folder]))

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
    const concerned = byType.get(event.type) ?? []
    if (isCounted(concerned)) count(stream.versions, aggregate)
    for (const folder of concerned) {
      const { slice, table, column } = folder
      keep(record.key, folder, evolved(slice, table.get(record.key, column), event))
    }
    return 'effective'
  }

  return {
    apply,
    stateOf: (sliceName, key) => {
      const folder = byName.get(sliceName)
      return folder?.table.get(key, folder.column)
    },
    versionOf: (key, aggregate) => streams.get(key)?.versions.get(aggregate) ?? 0,
    partitionOf: (key) => streams.get(key)?.position.partition,
    keys: streams.keys,
    load: (key, position, { states: stored, versions, command }) => {
      streams.set(key, { position, versions: new Map(Object.entries(versions)), command })
      for (const folder of folders) keep(key, folder, stored[folder.slice.name])
    },
    documentOf: (key) => {
      const stream = streams.get(key)
      assert(stream !== undefined, `nothing was recorded under the key ${key}`)
      const { position, versions, command } = stream
      const ofSlices = folders.map(({ slice, table, column }) => [slice.name, table.get(key, column)] as const)
      const named = ofSlices.filter(([, state]) => state !== undefined)
      return { position, body: { states: Object.fromEntries(named), versions: Object.fromEntries(versions), command } }
    },
  }
}
