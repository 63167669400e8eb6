import type { CollectionSpec, ReadStore } from '@switchyard/kernel'
import { createMongoStore } from '@switchyard/store-mongo'
import { dropMongoDatabase, newMongoDatabase } from '../support/mongo-database.ts'
import { describeWithServers } from '../support/real-servers.ts'
import type { OpenedStore } from './read-store/adapter.ts'
import { describeReadStore } from './read-store.suite.ts'

interface OpenedMongoStore extends OpenedStore {
  readonly uri: string
  readonly handles: readonly ReadStore[]
}

const closeAll = async ({ handles }: Pick<OpenedMongoStore, 'handles'>): Promise<void> => {
  for (const handle of handles) await handle.close()
}

const openAt = (uri: string, collections: readonly CollectionSpec[]): OpenedMongoStore => {
  const openHandle = (): ReadStore => createMongoStore({ uri, collections, role: 'writer' })
  const store = openHandle()
  const handles = [store]
  return {
    store,
    uri,
    handles,
    openAnother: async () => {
      const another = openHandle()
      handles.push(another)
      return another
    },
    dispose: async () => {
      await closeAll({ handles })
      await dropMongoDatabase(uri)
    },
  }
}

describeWithServers('with a server', () => {
  describeReadStore('mongodb', {
    open: async (collections) => openAt(newMongoDatabase(), collections),
    reopen: async (opened, collections) => {
      await closeAll(opened)
      return openAt(opened.uri, collections)
    },
  })
})
