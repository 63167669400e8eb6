import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { KEEP_ALIVE_TIMEOUT_MS } from '@switchyard/http'
import { routeTable } from '../../infra/gateway/route-table.mjs'

/** Answers what no route names, as in the gateway. */
const SERVICE_OF_THE_REST = 'query-api'

/** Longer than the services keep a connection that nobody uses: their promise is passed on, and a client would send into one that is being closed. */
const KEEP_ALIVE_MS = 2 * KEEP_ALIVE_TIMEOUT_MS

/** A gateway for tests, where nginx is not at hand: it goes by the same route table. */
export interface Router {
  readonly url: string
  readonly close: () => Promise<void>
}

const segmentsOf = (path: string): readonly string[] => path.split('/')

const fits = (pattern: readonly string[], path: readonly string[]): boolean =>
  pattern.length === path.length && pattern.every((segment, index) => segment.startsWith(':') || segment === path[index])

/** Texts before parameters. */
const PLACES = routeTable
  .flatMap(({ service, specs }) => specs.map(({ path }) => ({ service, pattern: segmentsOf(path) })))
  .toSorted(
    (a, b) => a.pattern.filter((segment) => segment.startsWith(':')).length - b.pattern.filter((segment) => segment.startsWith(':')).length,
  )

/** Which service answers a request target, whatever its method is. */
const serviceOf = (target: string): string => {
  const path = segmentsOf(target.replace(/\?.*$/, ''))
  return PLACES.find(({ pattern }) => fits(pattern, path))?.service ?? SERVICE_OF_THE_REST
}

const answerUnavailable = (response: ServerResponse): void => {
  response.writeHead(503, { 'content-type': 'application/json', connection: 'close' })
  response.end(JSON.stringify({ code: 'TE_01', message: 'The service cannot be reached; try again', data: null }))
}

/** Sends every request to the service that its path belongs to; `urlOf` is asked each time. */
export const startRouter = async (urlOf: (service: string) => string): Promise<Router> => {
  const agent = new Agent({ keepAlive: true })

  const pass = (incoming: IncomingMessage, response: ServerResponse): void => {
    const { method, url = '/', rawHeaders } = incoming
    const { hostname, port } = new URL(urlOf(serviceOf(url)))
    const outgoing = request({ agent, host: hostname, port, method, path: url, headers: [...rawHeaders], setHost: false })
    outgoing.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
      answer.pipe(response)
      answer.once('error', () => response.destroy())
    })
    // A service may answer before the body has come to its end: the rest is read, or the client's next request would wait behind it.
    const readRest = (): void => {
      incoming.unpipe(outgoing)
      incoming.resume()
    }
    outgoing.on('error', () => {
      readRest()
      if (!response.headersSent) answerUnavailable(response)
    })
    response.once('close', () => {
      readRest()
      outgoing.destroy()
    })
    // Its headers alone may be reason enough for an answer.
    outgoing.flushHeaders()
    incoming.pipe(outgoing)
  }

  const server = createServer({ requireHostHeader: true, maxHeaderSize: 32 * 1024 }, pass)
  server.keepAliveTimeout = KEEP_ALIVE_MS
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      agent.destroy()
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
