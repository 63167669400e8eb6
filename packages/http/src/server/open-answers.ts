import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** The answers of node:http by their connection, in the order of the requests: the last one is on its way when all others are. */
export interface OpenAnswers {
  readonly note: (response: ServerResponse<IncomingMessage>) => void
  /** The last one of a connection that is not on its way as a whole. */
  readonly lastOf: (socket: Duplex) => ServerResponse<IncomingMessage> | undefined
  /** Resolves when none is made that has not left yet, or nobody is there any more to read it. */
  readonly left: () => Promise<void>
}

/** Resolves when an answer has left, or its connection is gone. */
const leftOrGone = (response: ServerResponse, socket: Duplex): Promise<void> =>
  new Promise((resolve) => {
    response.once('finish', resolve)
    socket.once('close', resolve)
  })

/** The {@link OpenAnswers} of one server. */
export const createOpenAnswers = (): OpenAnswers => {
  const lastBySocket = new Map<Duplex, ServerResponse<IncomingMessage>>()
  const leaving = (): readonly Promise<void>[] =>
    [...lastBySocket].flatMap(([socket, response]) =>
      response.writableEnded && !response.writableFinished ? [leftOrGone(response, socket)] : [],
    )
  return {
    note: (response) => {
      const { socket } = response.req
      if (!lastBySocket.has(socket)) socket.once('close', () => lastBySocket.delete(socket))
      lastBySocket.set(socket, response)
    },
    lastOf: (socket) => {
      const last = lastBySocket.get(socket)
      return last?.writableFinished === true ? undefined : last
    },
    left: async () => {
      for (let waiting = leaving(); waiting.length > 0; waiting = leaving()) await Promise.all(waiting)
    },
  }
}
