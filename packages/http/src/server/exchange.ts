import type { IncomingHttpHeaders } from 'node:http'
import type { RouteBody } from '../body/route-body.ts'
import type { Route, RouteReply } from '../route.ts'

/** Path parameters by name. */
export type Params = Readonly<Record<string, string>>

/** Whether the connection may serve another request after this one. */
export type ConnectionFate = 'keep' | 'close'

/** A request whose head was read, and the way its answer takes: all that serving a route knows of a connection. */
export interface Exchange {
  readonly route: Route
  readonly params: Params
  /** Path and query as sent. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  /** Whether it asks by HEAD what stands in the answer to GET. */
  readonly isHead?: boolean
  readonly requestId: string
  /** Address of the other end of the connection; empty when it is gone. */
  readonly remoteAddress: () => string
  /** On the clock of the telemetry, milliseconds. */
  readonly startedMs: number
  /** Hands over the body, exactly once. */
  readonly readBody: (take: (body: RouteBody) => void) => void
  /**
   * Sends the answer; does nothing when nobody is left to get it. Throws when its body is no JSON value. Answers a promise
   * for one in pieces (never of a hot route), which rejects when it had to be cut off.
   */
  readonly send: (reply: RouteReply) => Promise<void> | undefined
}
