export { keepMinutes } from './keep-minutes.ts'
export type { ProjectedTopic, ProjectorService, ProjectorServiceDependencies } from './projector-service.ts'
export { createProjectorService } from './projector-service.ts'
