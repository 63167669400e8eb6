import type { IncomingHttpHeaders } from 'node:http'
import { type RouteBody, receivedRouteBody } from '../body/route-body.ts'
import type { ShapedBodies } from '../body/shaped-bodies.ts'
import type { Route, RouteReply } from '../route.ts'
import type { Exchange, Params } from '../server/exchange.ts'
import type { FoundRoute } from './hot-routes.ts'
import type { PlainRequest } from './plain-request.ts'

/** Who has read a request, and takes its answer. */
interface Answering {
  readonly remoteAddress: () => string
  /** Does nothing when nobody is left to get it. */
  answer(reply: RouteReply, requestId: string): void
}

/** A plain request to a hot route. A class: functions that are made for each request are a tenth of what it leaves to be collected. */
export class HotExchange implements Exchange {
  readonly route: Route
  readonly params: Params
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly requestId: string
  readonly remoteAddress: () => string
  readonly startedMs: number
  readonly #by: Answering
  readonly #shaped: ShapedBodies
  #body: Buffer
  #isTaken = false

  constructor(
    by: Answering,
    { route, params, shaped }: FoundRoute,
    { head, body }: PlainRequest,
    { requestId, startedMs }: Pick<Exchange, 'requestId' | 'startedMs'>,
  ) {
    this.route = route
    this.params = params
    this.url = head.path
    this.headers = head.headers
    this.requestId = requestId
    this.remoteAddress = by.remoteAddress
    this.startedMs = startedMs
    this.#by = by
    this.#shaped = shaped
    this.#body = body
  }

  readBody(take: (body: RouteBody) => void): void {
    this.#isTaken = true
    take(receivedRouteBody(this.route, this.headers, this.#body, this.#shaped))
  }

  send(reply: RouteReply): undefined {
    this.#by.answer(reply, this.requestId)
  }

  /** The bytes of the request are the next one's from now on: a body that nobody has read yet is copied. */
  keepBody(): void {
    if (!this.#isTaken) this.#body = Buffer.from(this.#body)
  }
}
