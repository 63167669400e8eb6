export type { MongoStoreOptions } from './mongo-store.ts'
export { createMongoStore } from './mongo-store.ts'
