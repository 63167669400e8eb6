import { assert, type DocumentKey, type DocumentWrite, type Position, type ReadStore, type WriteOutcome } from '@switchyard/kernel'
import { applyTo, type CachedDocument, emptyDocument, idOf, type ProjectedInput, type ProjectionOf, shared } from './cached-document.ts'
import { createGenerations } from './document-generations.ts'
import { documentPages } from './document-pages.ts'
import { createTargets, loadFrom } from './document-targets.ts'

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
  /** Memory of the changed documents, about: what they took when it was looked at last, and the records that changed them since. */
  readonly dirtyBytes: () => number
  /** The changed documents; nothing may be projected until {@link settle} has heard what became of them. */
  readonly takeWrites: () => readonly DocumentWrite[]
  /** Says what became of the next writes taken: an overtaken document is forgotten and loaded again when needed. */
  readonly settle: (writes: readonly DocumentWrite[], outcomes: readonly WriteOutcome[]) => void
  /** Forgets unchanged documents beyond the bound; also needed when nothing was written, as when events are delivered again. */
  readonly evict: () => void
}

/** Views are kept by the projection's name, so what stands there is a view of that projection. */
const isViewOf = <View extends object>(_projection: ViewedProjection<View>, _view: object): _view is View => true

const shownAs = <View extends object, Input>(viewed: ViewedProjection<View>, document: CachedDocument<Input>): View => {
  const view = shared(document)
  assert(isViewOf(viewed, view), 'views are kept by the name of their projection')
  return view
}

/** What a {@link DocumentCache} needs. */
export interface DocumentCacheDependencies<Input> {
  readonly store: ReadStore
  readonly projections: readonly ProjectionOf<Input>[]
  /** Unchanged documents that are kept. */
  readonly cachedCountMax: number
  /** Memory that they take at most, bytes. */
  readonly cachedBytesMax: number
}

const writeOf = <Input>(document: CachedDocument<Input>): DocumentWrite => {
  const { projection, key, position } = document
  assert(position !== undefined, `a document of ${projection.name} changed without an event`)
  return { collection: projection.name, key, position, body: shared(document) }
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
  // What is left of removed documents stands before the next page: each page begins behind it.
  for await (const page of documentPages<object>(store, collection, prefix)) {
    await store.write(page.map(({ key }) => ({ collection, key, position, body: null })))
  }
}

/** An empty {@link DocumentCache}; least recently used documents leave it first, changed ones stay until they are written. */
export const createDocumentCache = <Input extends ProjectedInput>(dependencies: DocumentCacheDependencies<Input>): DocumentCache<Input> => {
  const { store, projections, cachedCountMax, cachedBytesMax } = dependencies
  const documents = createGenerations<Input>({ countMax: cachedCountMax, bytesMax: cachedBytesMax })
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
      documents.add(document)
      documents.age(dirty)
      return shownAs(viewed, document)
    },
    atHand: (viewed, key) => {
      const document = documents.get(idOf(viewed.name, key))
      return document && shownAs(viewed, document)
    },
    project: (input) => {
      for (const document of targets.of(input)) if (applyTo(document, input)) dirty.add(document)
    },
    ends: (input) => enders.some((endedBy) => endedBy?.(input) !== undefined),
    remove: async (input) => {
      for (const { projection, prefix } of endedIn(projections, input)) {
        documents.deleteAll((document) => document.projection === projection && prefix.every((part, index) => document.key[index] === part))
        await removeUnder(store, projection.name, { prefix, position: input.position })
      }
    },
    dirtyCount: () => dirty.size,
    dirtyBytes: () => {
      let sum = 0
      for (const { bytes, addedBytes } of dirty) sum += bytes + addedBytes
      return sum
    },
    takeWrites: () => {
      taken = [...dirty]
      return taken.map(writeOf)
    },
    settle: (_writes, outcomes) => {
      for (const [index, document] of taken.slice(0, outcomes.length).entries()) {
        dirty.delete(document)
        if (outcomes[index] === 'older') documents.delete(document.id)
        else documents.add(document)
      }
      taken = taken.slice(outcomes.length)
      documents.age(dirty)
    },
    evict: () => documents.age(dirty),
  }
}
