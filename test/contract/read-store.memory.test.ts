import { createMemoryStore } from '@switchyard/store-memory'
import { describeReadStore } from './read-store.suite.ts'

describeReadStore('memory', {
  open: async (collections) => {
    const store = createMemoryStore({ collections })
    return { store, openAnother: async () => store, dispose: store.close }
  },
})
