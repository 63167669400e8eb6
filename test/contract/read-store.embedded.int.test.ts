import type { CollectionSpec, ReadStore } from '@switchyard/kernel'
import { createEmbeddedStore } from '@switchyard/store-embedded'
import type { OpenedStore } from './read-store/adapter.ts'
import { describeReadStore } from './read-store.suite.ts'
import { createTemporaryFolder, removeFolder } from './temporary-folder.ts'

interface OpenedEmbeddedStore extends OpenedStore {
  readonly folder: string
  readonly handles: readonly ReadStore[]
}

const closeAll = async ({ handles }: Pick<OpenedEmbeddedStore, 'handles'>): Promise<void> => {
  for (const handle of handles) await handle.close()
}

const openIn = (folder: string, collections: readonly CollectionSpec[]): OpenedEmbeddedStore => {
  const openHandle = (): ReadStore => createEmbeddedStore({ folder, collections, role: 'writer' })
  const store = openHandle()
  const handles = [store]
  return {
    store,
    folder,
    handles,
    openAnother: async () => {
      const another = openHandle()
      handles.push(another)
      return another
    },
    dispose: async () => {
      await closeAll({ handles })
      removeFolder(folder)
    },
  }
}

describeReadStore('embedded', {
  open: async (collections) => openIn(createTemporaryFolder(), collections),
  reopen: async (opened, collections) => {
    await closeAll(opened)
    return openIn(opened.folder, collections)
  },
})
