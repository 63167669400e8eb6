export { type EmbeddedDatabase, openEmbeddedDatabase } from './embedded-database.ts'
export { type FileLock, openFileLock } from './file-lock.ts'
export { VOLUME_FOLDER } from './volume-folder.ts'
