import { setImmediate as nextTurn } from 'node:timers/promises'
import { assert, type CollectionSpec, type DocumentWrite, declaredSpec, OperatingError, type ReadStore } from '@switchyard/kernel'
import { type Collection, createCollection } from './collection.ts'

/** What a memory store holds. */
export interface MemoryStoreOptions {
  readonly collections: readonly CollectionSpec[]
}

/** Bodies as they are when the write is called; what the caller changes afterwards is its own. */
const ownCopy = (write: DocumentWrite): DocumentWrite => ({ ...write, body: write.body === null ? null : structuredClone(write.body) })

/** Read models that live as long as the object, in the same order and with the same bounds as the durable stores. */
export const createMemoryStore = ({ collections: specs }: MemoryStoreOptions): ReadStore => {
  const declared = new Map(specs.map((spec) => [spec.name, spec]))
  const collections = new Map<string, Collection>()
  let isClosed = false

  const assertOpen = (): void => {
    if (isClosed) throw new OperatingError('STORE_CLOSED', 'the read store is closed', { retryable: false })
  }
  const collectionOf = (name: string): Collection => {
    const known = collections.get(name)
    if (known !== undefined) return known
    const spec = declaredSpec(declared, name)
    assert(spec !== undefined, `the collection ${name} was not declared`)
    const collection = createCollection(spec)
    collections.set(name, collection)
    return collection
  }
  const answering = async <Result>(answer: () => Result): Promise<Result> => {
    assertOpen()
    await nextTurn()
    return answer()
  }

  return {
    get: async (collection, key) => await answering(() => collectionOf(collection).get(key)),
    getMany: async (collection, keys) => await answering(() => keys.map((key) => collectionOf(collection).get(key))),
    range: async (query) => await answering(() => collectionOf(query.collection).range(query)),
    write: async (writes) => {
      for (const write of writes) collectionOf(write.collection).check(write)
      const own = writes.map(ownCopy)
      return await answering(() => own.map((write) => collectionOf(write.collection).write(write)))
    },
    drop: async (collection) => {
      collectionOf(collection)
      await answering(() => collections.delete(collection))
    },
    close: async () => {
      isClosed = true
      await nextTurn()
    },
  }
}
