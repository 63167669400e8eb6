export type { EmbeddedLog, EmbeddedLogOptions } from './embedded-log.ts'
export { createEmbeddedLog } from './embedded-log.ts'
