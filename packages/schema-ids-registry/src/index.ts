export { learningHandle, learningLog } from './learning-log.ts'
export type { RegistryOptions } from './registry-client.ts'
export type { RegistrySchemaIds } from './registry-schema-ids.ts'
export { openRegistrySchemaIds } from './registry-schema-ids.ts'
