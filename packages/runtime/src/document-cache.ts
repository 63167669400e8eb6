import {
  assert,
  type DocumentKey,
  type DocumentWrite,
  type Position,
  type ReadStore,
  type StoredDocument,
  type WriteOutcome,
} from '@switchyard/kernel'
import { WRITE_BATCH_COUNT_MAX } from './limits.ts'

/** A document projection over `Input`, whatever its views are. */
export interface ProjectionOf<Input> {
  readonly name: string
  readonly keysOf: (input: Input) => readonly DocumentKey[]
  readonly initialView: (key: DocumentKey) => object
  readonly project: (view: never, input: Input, key: DocumentKey) => object
  readonly endedBy?: (input: Input) => DocumentKey | undefined
}

/** What names a projection and its type of view. */
export interface ViewedProjection<View extends object> {
  readonly name: string
  readonly initialView: (key: DocumentKey) => View
}

/** The documents that a projector works on: loaded in batches, changed in memory, written together. */
export interface DocumentCache<Input> {
  /** Loads all documents that these inputs change and that are not at hand. */
  readonly load: (inputs: readonly Input[]) => Promise<void>
  /** A document after all that was projected, loaded when it is not at hand; its initial view when there is none. */
  readonly view: <View extends object>(projection: ViewedProjection<View>, key: DocumentKey) => Promise<View>
  /** {@link view} of a document that needs not be loaded; undefined when it would have to be. */
  readonly atHand: <View extends object>(projection: ViewedProjection<View>, key: DocumentKey) => View | undefined
  /** Applies an input to its documents, which are loaded; what they include already is passed by (law 7). */
  readonly project: (input: Input) => void
  /** Whether documents end with this input; then it is not projected. */
  readonly ends: (input: Input) => boolean
  /** Removes the documents that end with this input, page by page; nothing may be changed and not written. May be called again. */
  readonly remove: (input: Input) => Promise<void>
  readonly dirtyCount: () => number
  /** The changed documents; nothing may be projected until {@link settle} has heard what became of them. */
  readonly takeWrites: () => readonly DocumentWrite[]
  /** Says what became of the next writes taken: an overtaken document is forgotten and loaded again when needed. */
  readonly settle: (writes: readonly DocumentWrite[], outcomes: readonly WriteOutcome[]) => void
  /** Forgets unchanged documents beyond the bound; also needed when nothing was written, as when events are delivered again. */
  readonly evict: () => void
}

interface CachedDocument<Input> {
  readonly projection: ProjectionOf<Input>
  readonly key: DocumentKey
  readonly id: string
  /** Undefined until the first event. */
  position: Position | undefined
  view: object
}

/** One text a document; parts stand behind their length, so that no two keys are alike. Made several times an event: it has to be quick. */
const idOf = (collection: string, key: DocumentKey): string => {
  let id = collection
  for (const part of key) id += typeof part === 'number' ? `#${part}` : `:${part.length}:${part}`
  return id
}

/** What a projection's `project` takes is unknown here; views come from its `initialView`, `project` and collection only. */
const isOwnView = <Input>(_projection: ProjectionOf<Input>, _view: object): _view is never => true

/** Views are kept by the projection's name, so what stands there is a view of that projection. */
const isViewOf = <View extends object>(_projection: ViewedProjection<View>, _view: object): _view is View => true

const shownAs = <View extends object>(viewed: ViewedProjection<View>, found: { readonly view: object } | undefined): View | undefined => {
  const view = found?.view
  assert(view === undefined || isViewOf(viewed, view), 'views are kept by the name of their projection')
  return view
}

const projected = <Input>({ projection, view, key }: CachedDocument<Input>, input: Input): object => {
  assert(isOwnView(projection, view), `${projection.name} projects its own views only`)
  return projection.project(view, input, key)
}

const isIncluded = <Input>(document: CachedDocument<Input>, position: Position): boolean => {
  if (document.position === undefined) return false
  assert(document.position.partition === position.partition, `a document of ${document.projection.name} gets events of two partitions`)
  return position.offset <= document.position.offset
}

/** A document as nobody has changed it yet. */
const emptyDocument = <Input>(projection: ProjectionOf<Input>, key: DocumentKey, id: string): CachedDocument<Input> => ({
  projection,
  key,
  id,
  position: undefined,
  view: projection.initialView(key),
})

const fill = <Input>(document: CachedDocument<Input>, found: StoredDocument<object> | undefined): void => {
  if (found === undefined) return
  document.position = found.position
  document.view = found.body
}

/** Fills empty documents with what the store has of them. */
const loadFrom = async <Input>(store: ReadStore, empty: readonly CachedDocument<Input>[]): Promise<void> => {
  for (const projection of new Set(empty.map((document) => document.projection))) {
    const own = empty.filter((document) => document.projection === projection)
    for (let i = 0; i < own.length; i += WRITE_BATCH_COUNT_MAX) {
      const page = own.slice(i, i + WRITE_BATCH_COUNT_MAX)
      const stored = await store.getMany<object>(
        projection.name,
        page.map(({ key }) => key),
      )
      for (const [index, document] of page.entries()) fill(document, stored[index])
    }
  }
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

/** Documents by id in two generations: what is used moves to the younger one, and the older one leaves as a whole. */
interface Generations<Input> {
  readonly get: (id: string) => CachedDocument<Input> | undefined
  readonly add: (document: CachedDocument<Input>) => void
  readonly delete: (id: string) => void
  readonly deleteAll: (isGone: (document: CachedDocument<Input>) => boolean) => void
  /** Lets the older generation go when the younger one is large enough; the `kept` stay. */
  readonly age: (kept: Iterable<CachedDocument<Input>>) => void
}

/** At most about `countMax` documents beside those that are kept; a hit costs a look-up, unlike an exact order of use. */
const createGenerations = <Input>(countMax: number): Generations<Input> => {
  let young = new Map<string, CachedDocument<Input>>()
  let old = new Map<string, CachedDocument<Input>>()
  return {
    get: (id) => {
      const found = young.get(id)
      if (found !== undefined) return found
      const rescued = old.get(id)
      if (rescued !== undefined) young.set(id, rescued)
      return rescued
    },
    add: (document) => {
      young.set(document.id, document)
    },
    delete: (id) => {
      young.delete(id)
      old.delete(id)
    },
    deleteAll: (isGone) => {
      for (const generation of [young, old]) for (const [id, document] of generation) if (isGone(document)) generation.delete(id)
    },
    age: (kept) => {
      if (young.size <= countMax / 2) return
      old = young
      young = new Map()
      for (const document of kept) young.set(document.id, document)
    },
  }
}

const projectionNamed = <Input>(projections: readonly ProjectionOf<Input>[], name: string): ProjectionOf<Input> => {
  const projection = projections.find((known) => known.name === name)
  assert(projection !== undefined, `${name} is not projected here`)
  return projection
}

/** The projections in which documents end with an input, and the first parts of their keys. */
const endedIn = <Input>(projections: readonly ProjectionOf<Input>[], input: Input) =>
  projections.flatMap((projection) => {
    const prefix = projection.endedBy?.(input)
    return prefix === undefined ? [] : [{ projection, prefix }]
  })

/** Documents that include something later stay: whoever does this again passes them by. */
const removeUnder = async (
  store: ReadStore,
  collection: string,
  { prefix, position }: { readonly prefix: DocumentKey; readonly position: Position },
): Promise<void> => {
  let offset = 0
  for (;;) {
    const page = await store.range<object>({ collection, prefix, order: 'ascending', offset, limit: WRITE_BATCH_COUNT_MAX })
    const outcomes = await store.write(page.map(({ key }) => ({ collection, key, position, body: null })))
    offset += outcomes.filter((outcome) => outcome === 'older').length
    if (page.length < WRITE_BATCH_COUNT_MAX) return
  }
}

/** The documents that the inputs that were loaded last change. */
interface Targets<Input> {
  readonly load: DocumentCache<Input>['load']
  readonly of: (input: Input) => readonly CachedDocument<Input>[]
}

const createTargets = <Input>({ store, projections }: DocumentCacheDependencies<Input>, documents: Generations<Input>): Targets<Input> => {
  const targets = new Map<Input, readonly CachedDocument<Input>[]>()

  /** The documents that an input changes; `missing` are those that are not at hand, each once. */
  const targetsOf = (input: Input, missing: Map<string, CachedDocument<Input>>): readonly CachedDocument<Input>[] => {
    const found: CachedDocument<Input>[] = []
    for (const projection of projections) {
      for (const key of projection.keysOf(input)) {
        const id = idOf(projection.name, key)
        const known = documents.get(id) ?? missing.get(id)
        const document = known ?? emptyDocument(projection, key, id)
        if (known === undefined) missing.set(id, document)
        found.push(document)
      }
    }
    return found
  }

  return {
    load: async (inputs) => {
      targets.clear()
      const missing = new Map<string, CachedDocument<Input>>()
      for (const input of inputs) targets.set(input, targetsOf(input, missing))
      if (missing.size === 0) return
      await loadFrom(store, [...missing.values()])
      for (const document of missing.values()) documents.add(document)
    },
    of: (input) => {
      const changed = targets.get(input)
      assert(changed !== undefined, 'what an input changes is loaded before')
      return changed
    },
  }
}

/** An empty {@link DocumentCache}; least recently used documents leave it first, changed ones stay until they are written. */
export const createDocumentCache = <Input extends { readonly position: Position }>(
  dependencies: DocumentCacheDependencies<Input>,
): DocumentCache<Input> => {
  const { store, projections, cachedCountMax } = dependencies
  const documents = createGenerations<Input>(cachedCountMax)
  const dirty = new Set<CachedDocument<Input>>()
  /** Projections of one domain share theirs: it is asked once an input. */
  const enders = [...new Set(projections.map(({ endedBy }) => endedBy))]

  const targets = createTargets(dependencies, documents)
  let taken: readonly CachedDocument<Input>[] = []

  return {
    load: targets.load,
    view: async (viewed, key) => {
      const projection = projectionNamed(projections, viewed.name)
      const id = idOf(viewed.name, key)
      const document = documents.get(id) ?? emptyDocument(projection, key, id)
      if (documents.get(id) === undefined) await loadFrom(store, [document])
      assert(isViewOf(viewed, document.view), 'a document holds the view of its projection')
      documents.add(document)
      documents.age(dirty)
      return document.view
    },
    atHand: (viewed, key) => shownAs(viewed, documents.get(idOf(viewed.name, key))),
    project: (input) => {
      for (const document of targets.of(input)) {
        if (isIncluded(document, input.position)) continue
        const view = projected(document, input)
        if (view === document.view) continue
        document.view = view
        document.position = input.position
        dirty.add(document)
      }
    },
    ends: (input) => enders.some((endedBy) => endedBy?.(input) !== undefined),
    remove: async (input) => {
      for (const { projection, prefix } of endedIn(projections, input)) {
        documents.deleteAll((document) => document.projection === projection && prefix.every((part, index) => document.key[index] === part))
        await removeUnder(store, projection.name, { prefix, position: input.position })
      }
    },
    dirtyCount: () => dirty.size,
    takeWrites: () => {
      taken = [...dirty]
      return taken.map(writeOf)
    },
    settle: (_writes, outcomes) => {
      for (const [index, document] of taken.slice(0, outcomes.length).entries()) {
        dirty.delete(document)
        if (outcomes[index] === 'older') documents.delete(document.id)
      }
      taken = taken.slice(outcomes.length)
      documents.age(dirty)
    },
    evict: () => documents.age(dirty),
  }
}
