import type { IncomingHttpHeaders } from 'node:http'
import type { SessionClaims } from './credentials/session.ts'
import type { RouteApi } from './openapi/route-api.ts'

/** What a session may do (platform.md 2.3). */
export type Permission = 'routing:read' | 'routing:write'

/** Who may call a route (platform.md 15): nobody is asked, the admin secret, a bearer only, or the protected gate. */
export type Access = 'public' | 'admin' | 'session' | 'protected'

/** Where a route names the merchant it works on; the gate checks existence first, then ownership (contract/README.md 13). */
export interface MerchantLocation {
  readonly in: 'path' | 'body'
  /** Name of the path parameter or of the body's top-level member. */
  readonly name: string
  /** What an unknown merchant means: 404, or nothing (lists answer `[]`). Ownership is checked either way. */
  readonly whenUnknown: 'not-found' | 'allowed'
}

/** One row of the route table. */
export interface RouteSpec {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Express pattern, for example `/merchant-account/:merchantId`. */
  readonly path: string
  readonly access: Access
  readonly permission: Permission
  /** Needs the header `x-tenant-id` (platform.md 11). */
  readonly tenant: boolean
  /** Undefined: the route names no merchant, or the handler finds it out and calls `mayActFor` itself. */
  readonly merchant?: MerchantLocation
  /**
   * `none`; `json`: content type and shape enforced (415, 400, 413); `raw-json`: any content type, decision envelope;
   * `optional-json`: any content type, and no body at all; `stream`: any content type, read by the handler with `bodyStreamOf`.
   */
  readonly body: 'none' | 'json' | 'raw-json' | 'optional-json' | 'stream'
  /** `exact`: a number in the body that JavaScript would round is an `ExactNumber`, because the body is passed on; absent: it is rounded. */
  readonly numbers?: 'exact'
  /** Only for `stream`: how large it may be, in bytes, where that is another size than usual; a larger one may also take longer than other requests. */
  readonly streamBytesMax?: number
  /** Served by the lean handler in front of Express: asked for with every payment. Its limit is of a class of its own. */
  readonly hot: boolean
  /** Asked for with every payment too, but served by Express: its limit is that of hot routes; absent: that of reading or writing. */
  readonly limitedAs?: 'hot'
  /** `required`: the admin secret alone is not enough, the route needs to know the merchant (platform.md 2.1, analytics). */
  readonly identity?: 'required'
  /** Only for `session`: a token that was revoked already passes (a repeated logout is answered 200, platform.md 3.1). */
  readonly revokedToken?: 'accepted'
  /** What the answer is read from, and `x-min-log-position` waits for; absent: the states that the process keeps in memory. */
  readonly servedBy?: 'read-models'
}

/** Who is calling, as the gate found it. `admin` beside a user or key lifts the merchant check. */
export type Identity =
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'admin' }
  | { readonly kind: 'key'; readonly keyId: string; readonly merchantId: string; readonly admin: boolean }
  | (SessionClaims & { readonly kind: 'user'; readonly admin: boolean })

/** A request that has passed the gate. */
export interface RouteRequest {
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** Parsed JSON, undefined when there was no body; of a route with `body: 'stream'` what `bodyStreamOf` takes. */
  readonly body: unknown
  readonly headers: IncomingHttpHeaders
  /** HEAD on a route of GET: what GET changes stays as it is. */
  readonly isHead?: boolean
  readonly identity: Identity
  readonly requestId: string
  /** Epoch milliseconds from the clock port. */
  readonly receivedAt: number
  /** Address of the other end of the connection; a proxy's when one stands in between (`clientAddressOf`). */
  readonly remoteAddress: () => string
}

/** An answer: a JSON body, a text, a stream, or nothing. */
export interface RouteReply {
  readonly status: number
  /** Sent as compact JSON; undefined sends an empty body. */
  readonly body?: unknown
  /** Sent instead: JSON that a hot route has written by itself, in ASCII: it has as many bytes as characters. */
  readonly json?: string
  /** Sent instead as text. */
  readonly text?: string
  /** What the text is; default plain text. */
  readonly contentType?: string
  /** Sent instead piece by piece, each one or several lines of JSON. */
  readonly pieces?: AsyncIterable<string>
  /** Of an answer in pieces: called when all of it is on its way, or nobody is left to get it. */
  readonly onSettled?: () => void
  readonly headers?: Readonly<Record<string, string>>
  /** Why it is a failure: goes to the log with the request id, never to the client. */
  readonly cause?: unknown
}

/** What an answer says, whichever way it is written. */
export const bodyOfReply = ({ body, json }: RouteReply): unknown => (json === undefined ? body : JSON.parse(json))

/** A row of the route table and what answers it. */
export interface Route {
  readonly spec: RouteSpec
  readonly handle: (request: RouteRequest) => RouteReply | Promise<RouteReply>
  /** Own form of what goes wrong before the handler runs (unreadable body, unknown or foreign merchant); default: the platform envelope. */
  readonly refuse?: (refusal: Refusal, request: RouteRequest) => RouteReply
  /** What the API's description says of it. */
  readonly api?: RouteApi
  /** Own envelope of errors: gets every answer before it is sent, also those that were made before or instead of the handler's. */
  readonly restate?: (reply: RouteReply) => RouteReply
}

/** Why a request did not reach its handler. */
export type Refusal =
  | { readonly code: 'BODY_UNREADABLE'; readonly detail: string }
  /** Only of a route that takes a file: what it takes is no JSON. */
  | { readonly code: 'BODY_ENCODED' }
  | { readonly code: 'BODY_TOO_LARGE'; readonly limitBytes: number }
  | { readonly code: 'MERCHANT_NOT_FOUND'; readonly merchantId: string }
  | { readonly code: 'MERCHANT_FOREIGN'; readonly merchantId: string }
