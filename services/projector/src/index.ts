export { domainCollections, domainSlices, paymentProjections } from './domain.ts'
export type { ProjectorService, ProjectorServiceDependencies } from './projector-service.ts'
export { createProjectorService, PROJECTOR_COLLECTIONS } from './projector-service.ts'
