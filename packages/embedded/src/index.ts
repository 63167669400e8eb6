export { type EmbeddedDatabase, openEmbeddedDatabase } from './embedded-database.ts'
