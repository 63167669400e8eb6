export type { AccessRouteDeps, AccessSettings } from './access-deps.ts'
export type { CommandApi, CommandApiDependencies } from './command-api.ts'
export { createCommandApi } from './command-api.ts'
