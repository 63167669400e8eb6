import type { Route, RouteSpec } from '../route.ts'

/** When a status is answered, for the description. */
export type Statuses = Readonly<Record<number, string>>

const OF_ACCESS: Readonly<Record<RouteSpec['access'], Statuses>> = {
  public: {},
  admin: { 401: 'The admin secret is missing or wrong' },
  session: { 401: 'The session token is missing, expired or revoked', 403: 'The session may not do this' },
  protected: { 401: 'The credential is missing or not valid', 403: 'The credential may not do this, or not for this merchant' },
}

const UNREADABLE = 'The path, the query, a header or the body can not be read'
const TOO_LARGE = 'The body is larger than the route takes'

const OF_BODY: Readonly<Record<RouteSpec['body'], Statuses>> = {
  none: {},
  json: { 413: TOO_LARGE, 415: 'The body is not announced as plain JSON', 422: 'The body is JSON of another shape' },
  'raw-json': { 413: TOO_LARGE },
  'optional-json': { 413: TOO_LARGE },
  stream: { 413: TOO_LARGE },
}

const EVERYWHERE: Statuses = {
  400: UNREADABLE,
  429: 'The credential has used up what it may ask for; Retry-After says when to come again',
  500: 'A fault of the service; x-request-id names the request in its log',
  503: 'Something that the answer needs is away, or too much is under way; try again after Retry-After',
}

const MERCHANT_UNKNOWN: Statuses = { 404: 'The merchant is not known' }

/** Every status with its reason that follows from rows. */
export const USUAL_STATUSES: readonly { readonly status: number; readonly when: string }[] = [
  EVERYWHERE,
  ...Object.values(OF_ACCESS),
  MERCHANT_UNKNOWN,
  OF_BODY.json,
].flatMap((statuses) => Object.entries(statuses).map(([status, when]) => ({ status: Number(status), when })))

/** What a route refuses: what follows from its row, and what its handler says of itself. */
export const refusedStatusesOf = ({ spec, api }: Route): Statuses => ({
  ...EVERYWHERE,
  ...OF_ACCESS[spec.access],
  ...(spec.merchant?.whenUnknown === 'not-found' ? MERCHANT_UNKNOWN : {}),
  ...OF_BODY[spec.body],
  ...api?.refusals,
})
