export type { ProjectorService, ProjectorServiceDependencies } from './projector-service.ts'
export { createProjectorService } from './projector-service.ts'
