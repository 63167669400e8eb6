import type { Route } from '@switchyard/http'
import { endpointRoutes } from './endpoints.ts'
import { type EventRouteDeps, eventRoutes } from './events.ts'
import { recoveryRoutes } from './recoveries.ts'
import { submitRoute } from './submit.ts'

/** Every route of outgoing events. */
export const webhookRoutes = (deps: EventRouteDeps): readonly Route[] => [
  ...eventRoutes(deps),
  ...recoveryRoutes(deps),
  ...endpointRoutes(deps),
  submitRoute(deps),
]
