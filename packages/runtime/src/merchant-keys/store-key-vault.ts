import type { CollectionSpec, ReadStore } from '@switchyard/kernel'
import { documentPages } from '../document-pages.ts'
import type { KeyVault } from './key-vault.ts'

/** The collection of {@link createStoreKeyVault}; no read model: it is never rebuilt and belongs to no generation. */
export const MERCHANT_KEYS_COLLECTION: CollectionSpec = { name: 'merchant-keys', indexes: [] }

interface KeyBody {
  readonly wrappedKey: Uint8Array
}

/** A key is kept once, and what was destroyed does not come back. */
const KEPT = { partition: 0, offset: 1 }
const DESTROYED = { partition: 0, offset: 2 }

/** A {@link KeyVault} in a store that outlives its processes, for clusters; the store is opened for this collection alone. */
export const createStoreKeyVault = (store: ReadStore): KeyVault => {
  const collection = MERCHANT_KEYS_COLLECTION.name
  const find: KeyVault['find'] = async (merchantId, life) => (await store.get<KeyBody>(collection, [merchantId, life]))?.body.wrappedKey
  return {
    find,
    keep: async (merchantId, life, wrappedKey) => {
      await store.write([{ collection, key: [merchantId, life], position: KEPT, body: { wrappedKey } }])
      return (await find(merchantId, life)) ?? wrappedKey
    },
    destroy: async (merchantId, life) => {
      await store.write([{ collection, key: [merchantId, life], position: DESTROYED, body: null }])
    },
    pages: async function* () {
      for await (const page of documentPages<KeyBody>(store, collection)) {
        yield page.map(({ key: [merchantId, life], body }) => ({ merchantId: String(merchantId), life: Number(life), ...body }))
      }
    },
    place: `the collection ${collection}`,
  }
}
