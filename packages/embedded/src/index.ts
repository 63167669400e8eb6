export { type EmbeddedDatabase, openEmbeddedDatabase } from './embedded-database.ts'
export { type FileLock, openFileLock } from './file-lock.ts'
