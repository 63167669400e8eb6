import type { FetchStream, OutboundOutcome, OutboundRequest, OutboundResult, SendRequest } from '@switchyard/kernel'
import { createAddressRules } from './address-rules.ts'
import { type Connection, createConnection } from './connection.ts'
import { createFetchStream } from './fetch-stream.ts'
import { createIdleConnections } from './idle-connections.ts'
import type { SocketSettings } from './open-socket.ts'
import { createNameResolver, type ResolveName } from './resolve-name.ts'
import { type AllowedSchemes, type CheckUrl, createUrlCheck } from './url-rules.ts'

/** How a deployment lets requests go out. */
export interface OutboundSettings {
  readonly schemes: AllowedSchemes
  /** Beyond the public internet: `address/bits` or single addresses, at most 64. */
  readonly allowedRanges: readonly string[]
  /** PEM of authorities that are trusted instead of those that come with Node. */
  readonly certificateAuthorities?: string | undefined
  /** Name servers by default. */
  readonly resolveName?: ResolveName
}

/** Requests to endpoints of other people. */
export interface Outbound {
  /** The rules for URLs, for whoever configures one. */
  readonly checkUrl: CheckUrl
  /** Sends under all rules. How many at a time is the caller's to bound. */
  readonly send: SendRequest
  /** The same for answers that may be large. */
  readonly fetchStream: FetchStream
  /** Ends connections that wait, and those under way when they have served. */
  readonly close: () => void
}

/** Opens nothing until the first request. */
export const createOutbound = (settings: OutboundSettings): Outbound => {
  const addresses = createAddressRules(settings.allowedRanges)
  const checkUrl = createUrlCheck(addresses, settings.schemes)
  const idle = createIdleConnections()
  const sockets: SocketSettings = {
    addresses,
    resolveName: settings.resolveName ?? createNameResolver(),
    certificateAuthorities: settings.certificateAuthorities,
  }
  let isClosed = false

  const open = (endpointId: string, url: URL): Connection => {
    const connection: Connection = createConnection(url, sockets, () => idle.drop(endpointId, connection))
    return connection
  }

  const postOn = async (connection: Connection, request: OutboundRequest, url: URL, deadlineMs: number): Promise<OutboundResult> => {
    const result = await connection.post(request, url.pathname + url.search, deadlineMs)
    if (isClosed) connection.close()
    else if (connection.isOpen()) idle.keep(request.endpointId, connection)
    return result
  }

  const exchange = async (request: OutboundRequest, deadlineMs: number): Promise<OutboundResult> => {
    const checked = checkUrl(request.url)
    if (!checked.accepted) return { kind: 'refused', rule: checked.rule }
    const { url } = checked
    const connection = idle.take(request.endpointId, url.origin) ?? open(request.endpointId, url)
    const result = await postOn(connection, request, url, deadlineMs)
    // A kept connection may have been ended by the other side just as the request went out.
    return connection.wasStale() ? postOn(open(request.endpointId, url), request, url, deadlineMs) : result
  }

  return {
    checkUrl,
    fetchStream: createFetchStream(checkUrl, sockets),
    send: async (request): Promise<OutboundOutcome> => {
      const startedAt = performance.now()
      const result = await exchange(request, startedAt + request.timeoutMs)
      return { ...result, latencyMs: performance.now() - startedAt }
    },
    close: () => {
      isClosed = true
      idle.closeAll()
    },
  }
}
