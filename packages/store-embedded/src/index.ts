export type { EmbeddedStoreOptions } from './embedded-store.ts'
export { createEmbeddedStore } from './embedded-store.ts'
