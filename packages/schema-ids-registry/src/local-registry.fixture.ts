import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'

/** A registry in this process that numbers schemas from 1, as a real one does, and can be away. */
export interface LocalRegistry {
  readonly url: string
  /** Paths of the requests so far, with their methods. */
  readonly requests: readonly string[]
  readonly compatibilityOf: ReadonlyMap<string, string>
  /** Adds a schema as somebody else would; gives its id. */
  readonly add: (schema: string) => number
  /** Requests are broken off from now on, or answered again. */
  readonly setAway: (isAway: boolean) => void
  readonly close: () => Promise<void>
}

/** {@link LocalRegistry} on a free port. */
export const openLocalRegistry = async (): Promise<LocalRegistry> => {
  const schemas: string[] = []
  const compatibilityOf = new Map<string, string>()
  const requests: string[] = []
  let isAway = false

  const add = (schema: string): number => {
    if (!schemas.includes(schema)) schemas.push(schema)
    return schemas.indexOf(schema) + 1
  }

  const answerTo = async (request: IncomingMessage): Promise<object | undefined> => {
    const [, kind = '', subject = ''] = (request.url ?? '').split('/').map(decodeURIComponent)
    const body = request.method === 'GET' ? {} : JSON.parse(await text(request))
    if (kind === 'config' && request.method === 'PUT') {
      compatibilityOf.set(subject, body.compatibility)
      return body
    }
    if (kind === 'config') {
      const compatibilityLevel = compatibilityOf.get(subject)
      return compatibilityLevel === undefined ? undefined : { compatibilityLevel }
    }
    if (kind === 'subjects') return { id: add(body.schema) }
    const schema = schemas[Number((request.url ?? '').split('/').at(-1)) - 1]
    return schema === undefined ? undefined : { schema }
  }

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    requests.push(`${request.method} ${request.url}`)
    const answer = await answerTo(request)
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer ?? { error_code: 404, message: 'not found' }))
  }

  const server = createServer((request, response) => {
    if (isAway) request.socket.destroy()
    else void respond(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    requests,
    compatibilityOf,
    add,
    setAway: (away) => {
      isAway = away
    },
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
