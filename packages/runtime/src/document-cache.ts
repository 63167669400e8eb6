import { assert, type DocumentKey, type DocumentWrite, type Position, type ReadStore, type WriteOutcome } from '@switchyard/kernel'
import { WRITE_BATCH_COUNT_MAX } from './limits.ts'

/** A document projection over `Input`, whatever its views are. */
export interface ProjectionOf<Input> {
  readonly name: string
  readonly keysOf: (input: Input) => readonly DocumentKey[]
  readonly initialView: (key: DocumentKey) => object
  readonly project: (view: never, input: Input, key: DocumentKey) => object
}

/** The documents that a projector works on: loaded in batches, changed in memory, written together. */
export interface DocumentCache<Input> {
  /** Loads all documents that these inputs change and that are not at hand. */
  readonly load: (inputs: readonly Input[]) => Promise<void>
  /** Applies an input to its documents, which are loaded; what they include already is passed by (law 7). */
  readonly project: (input: Input) => void
  readonly dirtyCount: () => number
  /** The changed documents, in an order that {@link settle} understands. */
  readonly takeWrites: () => readonly DocumentWrite[]
  /** Says what became of writes taken: an overtaken document is forgotten and loaded again when needed. */
  readonly settle: (writes: readonly DocumentWrite[], outcomes: readonly WriteOutcome[]) => void
}

interface CachedDocument<Input> {
  readonly projection: ProjectionOf<Input>
  readonly key: DocumentKey
  readonly id: string
  /** Undefined until the first event. */
  position: Position | undefined
  view: object
}

interface Target<Input> {
  readonly projection: ProjectionOf<Input>
  readonly key: DocumentKey
  readonly id: string
}

const idOf = (collection: string, key: DocumentKey): string => JSON.stringify([collection, ...key])

/** What a projection's `project` takes is unknown here; views come from its `initialView`, `project` and collection only. */
const isOwnView = <Input>(_projection: ProjectionOf<Input>, _view: object): _view is never => true

const projected = <Input>({ projection, view, key }: CachedDocument<Input>, input: Input): object => {
  assert(isOwnView(projection, view), `${projection.name} projects its own views only`)
  return projection.project(view, input, key)
}

const isIncluded = <Input>(document: CachedDocument<Input>, position: Position): boolean => {
  if (document.position === undefined) return false
  assert(document.position.partition === position.partition, `a document of ${document.projection.name} gets events of two partitions`)
  return position.offset <= document.position.offset
}

const loadFrom = async <Input>(store: ReadStore, targets: readonly Target<Input>[]): Promise<readonly CachedDocument<Input>[]> => {
  const loaded: CachedDocument<Input>[] = []
  for (const projection of new Set(targets.map((target) => target.projection))) {
    const own = targets.filter((target) => target.projection === projection)
    for (let i = 0; i < own.length; i += WRITE_BATCH_COUNT_MAX) {
      const page = own.slice(i, i + WRITE_BATCH_COUNT_MAX)
      const stored = await store.getMany<object>(
        projection.name,
        page.map(({ key }) => key),
      )
      for (const [index, target] of page.entries()) {
        const document = stored[index]
        loaded.push({ ...target, position: document?.position, view: document?.body ?? projection.initialView(target.key) })
      }
    }
  }
  return loaded
}

/** What a {@link DocumentCache} needs. */
export interface DocumentCacheDependencies<Input> {
  readonly store: ReadStore
  readonly projections: readonly ProjectionOf<Input>[]
  /** Unchanged documents that are kept. */
  readonly cachedCountMax: number
}

const writeOf = <Input>({ projection, key, position, view }: CachedDocument<Input>): DocumentWrite => {
  assert(position !== undefined, `a document of ${projection.name} changed without an event`)
  return { collection: projection.name, key, position, body: view }
}

/** An empty {@link DocumentCache}; least recently used documents leave it first, changed ones stay until they are written. */
export const createDocumentCache = <Input extends { readonly position: Position }>(
  dependencies: DocumentCacheDependencies<Input>,
): DocumentCache<Input> => {
  const { store, projections, cachedCountMax } = dependencies
  const documents = new Map<string, CachedDocument<Input>>()
  const dirty = new Set<CachedDocument<Input>>()

  const targetsOf = (input: Input): readonly Target<Input>[] =>
    projections.flatMap((projection) => projection.keysOf(input).map((key) => ({ projection, key, id: idOf(projection.name, key) })))

  const touch = (document: CachedDocument<Input>): void => {
    documents.delete(document.id)
    documents.set(document.id, document)
  }

  const evict = (): void => {
    for (const document of documents.values()) {
      if (documents.size <= cachedCountMax) return
      if (!dirty.has(document)) documents.delete(document.id)
    }
  }

  return {
    load: async (inputs) => {
      const targets = new Map(inputs.flatMap(targetsOf).map((target) => [target.id, target]))
      const missing = [...targets.values()].filter(({ id }) => !documents.has(id))
      if (missing.length === 0) return
      for (const document of await loadFrom(store, missing)) documents.set(document.id, document)
    },
    project: (input) => {
      for (const { id } of targetsOf(input)) {
        const document = documents.get(id)
        assert(document !== undefined, `the document ${id} was not loaded`)
        touch(document)
        if (isIncluded(document, input.position)) continue
        const view = projected(document, input)
        if (view === document.view) continue
        document.view = view
        document.position = input.position
        dirty.add(document)
      }
    },
    dirtyCount: () => dirty.size,
    takeWrites: () => [...dirty].map(writeOf),
    settle: (writes, outcomes) => {
      for (const [index, { collection, key }] of writes.entries()) {
        const document = documents.get(idOf(collection, key))
        if (document === undefined) continue
        dirty.delete(document)
        if (outcomes[index] === 'older') documents.delete(document.id)
      }
      evict()
    },
  }
}
