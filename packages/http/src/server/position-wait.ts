import type { IncomingHttpHeaders } from 'node:http'
import { platformError, unavailable } from '../errors.ts'
import { POSITION_HEADER_WAITS_MAX } from '../limits.ts'
import type { RouteReply, RouteSpec } from '../route.ts'

/** What waiting for the position of `x-min-log-position` came to; `malformed` also when no log has such a position. */
export type PositionWait = 'reached' | 'not-reached' | 'malformed'

/** Waits, within a bound, until what serves the route has included the position that the token names. */
export type AwaitPosition = (token: string, spec: RouteSpec) => Promise<PositionWait>

/** Undefined when the request waits for nothing; else why it is refused, if it is. */
export type RefuseUntilPosition = (spec: RouteSpec, headers: IncomingHttpHeaders) => Promise<RouteReply | undefined> | undefined

const REFUSALS: Readonly<Record<PositionWait, RouteReply | undefined>> = {
  reached: undefined,
  'not-reached': unavailable('The service has not caught up with x-min-log-position; try again'),
  malformed: platformError(400, 'TE_03', 'Malformed x-min-log-position'),
}
const TOO_MANY = unavailable('Too many requests wait for x-min-log-position; try again')

/** {@link RefuseUntilPosition} of a server. Public routes don't wait: nobody unknown may hold a place. */
export const createPositionGate = (awaitPosition: AwaitPosition | undefined): RefuseUntilPosition => {
  if (awaitPosition === undefined) return () => undefined
  let waitingCount = 0

  const wait = async (token: string, spec: RouteSpec): Promise<RouteReply | undefined> => {
    if (waitingCount >= POSITION_HEADER_WAITS_MAX) return TOO_MANY
    waitingCount += 1
    try {
      return REFUSALS[await awaitPosition(token, spec)]
    } finally {
      waitingCount -= 1
    }
  }

  return (spec, headers) => {
    const token = headers['x-min-log-position']
    return typeof token === 'string' && spec.access !== 'public' ? wait(token, spec) : undefined
  }
}
