import type { Route, RouteSpec } from '../route.ts'

/** When a status is answered, for the description. */
export type Statuses = Readonly<Record<number, string>>

/** Whose envelope a route's own refusals have. */
export const refusesLike = ({ api, refuse, restate }: Route): 'decisions' | 'platform' | 'events' => {
  if (restate !== undefined) return 'events'
  return api?.refusesLike ?? (refuse === undefined ? 'platform' : 'decisions')
}

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

/** Where decisions and reports are refused, an unknown merchant is a bad request (decide.md 2.3). */
export const MERCHANT_UNKNOWN_TO_DECISIONS: Statuses = { 400: 'The body can not be read, or the merchant is not known' }

/** Every status with its reason that follows from rows. */
export const USUAL_STATUSES: readonly { readonly status: number; readonly when: string }[] = [
  EVERYWHERE,
  ...Object.values(OF_ACCESS),
  MERCHANT_UNKNOWN,
  OF_BODY.json,
  MERCHANT_UNKNOWN_TO_DECISIONS,
].flatMap((statuses) => Object.entries(statuses).map(([status, when]) => ({ status: Number(status), when })))

const ofMerchant = (route: Route): Statuses => {
  if (route.spec.merchant?.whenUnknown !== 'not-found') return {}
  return refusesLike(route) === 'decisions' ? MERCHANT_UNKNOWN_TO_DECISIONS : MERCHANT_UNKNOWN
}

/** What a route refuses: what follows from its row, and what its handler says of itself. */
export const refusedStatusesOf = (route: Route): Statuses => ({
  ...EVERYWHERE,
  ...OF_ACCESS[route.spec.access],
  ...ofMerchant(route),
  ...OF_BODY[route.spec.body],
  ...route.api?.refusals,
})
