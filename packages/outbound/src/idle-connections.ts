import type { Connection } from './connection.ts'
import { IDLE_COUNT_MAX, IDLE_PER_ENDPOINT_MAX } from './limits.ts'

/** Connections that wait for the next request of their endpoint. */
export interface IdleConnections {
  /** The one of this endpoint that served last, if it leads to this origin. */
  readonly take: (endpointId: string, origin: string) => Connection | undefined
  /** Keeps a connection, and ends the ones that waited longest when there are too many. */
  readonly keep: (endpointId: string, connection: Connection) => void
  /** Forgets and ends a connection that is no use any more. */
  readonly drop: (endpointId: string, connection: Connection) => void
  readonly count: () => number
  readonly closeAll: () => void
}

export const createIdleConnections = (): IdleConnections => {
  /** Endpoints in the order in which they were used last. */
  const byEndpoint = new Map<string, Connection[]>()
  let count = 0

  const store = (endpointId: string, connections: Connection[]): void => {
    byEndpoint.delete(endpointId)
    if (connections.length > 0) byEndpoint.set(endpointId, connections)
  }
  const closeOldest = (endpointId: string, connections: Connection[]): void => {
    connections.shift()?.close()
    count -= 1
    if (connections.length === 0) byEndpoint.delete(endpointId)
  }
  const shrink = (): void => {
    for (const [endpointId, connections] of byEndpoint) {
      while (count > IDLE_COUNT_MAX && connections.length > 0) closeOldest(endpointId, connections)
      if (count <= IDLE_COUNT_MAX) return
    }
  }

  return {
    take: (endpointId, origin) => {
      const connections = byEndpoint.get(endpointId) ?? []
      for (let connection = connections.pop(); connection !== undefined; connection = connections.pop()) {
        count -= 1
        if (connection.origin === origin) {
          store(endpointId, connections)
          return connection
        }
        connection.close()
      }
      byEndpoint.delete(endpointId)
      return undefined
    },
    keep: (endpointId, connection) => {
      const connections = byEndpoint.get(endpointId) ?? []
      connections.push(connection)
      count += 1
      if (connections.length > IDLE_PER_ENDPOINT_MAX) closeOldest(endpointId, connections)
      store(endpointId, connections)
      shrink()
    },
    drop: (endpointId, connection) => {
      const connections = byEndpoint.get(endpointId)
      const at = connections?.indexOf(connection) ?? -1
      if (connections === undefined || at === -1) return
      connections.splice(at, 1)
      count -= 1
      if (connections.length === 0) byEndpoint.delete(endpointId)
      connection.close()
    },
    count: () => count,
    closeAll: () => {
      for (const connections of byEndpoint.values()) for (const connection of connections) connection.close()
      byEndpoint.clear()
      count = 0
    },
  }
}
