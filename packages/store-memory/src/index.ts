export type { MemoryStoreOptions } from './memory-store.ts'
export { createMemoryStore } from './memory-store.ts'
