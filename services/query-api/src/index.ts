export type { QueryApiSurroundings } from './assemble.ts'
export { assembleQueryApi } from './assemble.ts'
export type { QueryApi, QueryApiDeps } from './query-api.ts'
export { createQueryApi } from './query-api.ts'
