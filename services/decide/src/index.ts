export type { DecideService } from './decide-service.ts'
export { createDecideService } from './decide-service.ts'
export type { DecideServiceDependencies } from './dependencies.ts'
export { loadGatewayErrors } from './gateway-errors/load-gateway-errors.ts'
