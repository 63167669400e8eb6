import { actorOf, type RouteRequest } from '@switchyard/http'
import type { CommandOrigin } from '@switchyard/runtime'

/** Who and what caused the commands of a request. */
export const originOf = ({ identity, requestId }: Pick<RouteRequest, 'identity' | 'requestId'>): CommandOrigin => ({
  actor: actorOf(identity),
  requestId,
})
