import { assert, type DocumentKey, type KeyPart, type ReadStore, type StoredDocument } from '@switchyard/kernel'
import { type CachedDocument, emptyDocument, idOf, type ProjectionOf } from './cached-document.ts'
import type { Generations } from './document-generations.ts'
import { LOADS_AT_ONCE_MAX, WRITE_BATCH_COUNT_MAX } from './limits.ts'
import { memoryOf } from './memory-of.ts'

const fill = <Input>(document: CachedDocument<Input>, found: StoredDocument<object> | undefined): void => {
  if (found === undefined) return
  document.position = found.position
  document.view = found.body
  document.bytes = memoryOf(found.body)
}

const loadOwn = async <Input>(store: ReadStore, name: string, own: readonly CachedDocument<Input>[]): Promise<void> => {
  for (let i = 0; i < own.length; i += WRITE_BATCH_COUNT_MAX) {
    const page = own.slice(i, i + WRITE_BATCH_COUNT_MAX)
    const stored = await store.getMany<object>(
      name,
      page.map(({ key }) => key),
    )
    for (const [index, document] of page.entries()) fill(document, stored[index])
  }
}

/** Fills empty documents with what the store has of them: those of several projections at the same time, a page each. */
export const loadFrom = async <Input>(store: ReadStore, empty: readonly CachedDocument<Input>[]): Promise<void> => {
  const own = new Map<string, CachedDocument<Input>[]>()
  for (const document of empty) {
    const others = own.get(document.projection.name)
    if (others === undefined) own.set(document.projection.name, [document])
    else others.push(document)
  }
  const loads = [...own]
  for (let i = 0; i < loads.length; i += LOADS_AT_ONCE_MAX) {
    await Promise.all(loads.slice(i, i + LOADS_AT_ONCE_MAX).map(([name, documents]) => loadOwn(store, name, documents)))
  }
}

/** The documents that the inputs that were loaded last change. */
export interface Targets<Input> {
  /** Loads all documents that these inputs change and that are not at hand. */
  readonly load: (inputs: readonly Input[]) => Promise<void>
  readonly of: (input: Input) => readonly CachedDocument<Input>[]
}

const isOfKey = ({ key }: { readonly key: DocumentKey }, other: DocumentKey): boolean => {
  if (key.length !== other.length) return false
  // From behind: what comes first is mostly alike.
  for (let i = key.length - 1; i >= 0; i--) if (key[i] !== other[i]) return false
  return true
}

/** The document of a key, for one load: the one at hand, or an empty one that is `missing`, each once. */
type FindDocument<Input> = (key: DocumentKey) => CachedDocument<Input>

const createFinder = <Input>(
  projection: ProjectionOf<Input>,
  documents: Generations<Input>,
  missing: Map<string, CachedDocument<Input>>,
): FindDocument<Input> => {
  /** By the first part of their keys. A merchant's events change the same figures again and again: no id has to be made for them. */
  const lastFound = new Map<KeyPart | undefined, CachedDocument<Input>>()

  const findById = (key: DocumentKey): CachedDocument<Input> => {
    const id = idOf(projection.name, key)
    const known = documents.get(id) ?? missing.get(id)
    if (known !== undefined) return known
    const document = emptyDocument(projection, key, id)
    missing.set(id, document)
    return document
  }

  return (key) => {
    const last = lastFound.get(key[0])
    if (last !== undefined && isOfKey(last, key)) return last
    const document = findById(key)
    lastFound.set(key[0], document)
    return document
  }
}

/** {@link Targets} of these projections. */
export const createTargets = <Input>(
  { store, projections }: { readonly store: ReadStore; readonly projections: readonly ProjectionOf<Input>[] },
  documents: Generations<Input>,
): Targets<Input> => {
  const targets = new Map<Input, readonly CachedDocument<Input>[]>()

  return {
    load: async (inputs) => {
      targets.clear()
      const missing = new Map<string, CachedDocument<Input>>()
      const finders = projections.map((projection) => ({ projection, find: createFinder(projection, documents, missing) }))
      for (const input of inputs) {
        const found: CachedDocument<Input>[] = []
        for (const { projection, find } of finders) for (const key of projection.keysOf(input)) found.push(find(key))
        targets.set(input, found)
      }
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
