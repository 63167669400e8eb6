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
  /** Requests are broken off behind this many further ones. */
  readonly setAwayAfter: (count: number) => void
  /** Levels are taken from now on of subjects only that have a schema, as in some registries. */
  readonly refuseEarlyLevels: () => void
  /** As many further questions for the schema of an id are answered as by an instance that has not heard of it yet. */
  readonly setBehind: (count: number) => void
  /** As many further registrations find that another process is registering the subject. */
  readonly setConflicts: (count: number) => void
  readonly close: () => Promise<void>
}

type Answer = readonly [status: number, body: object]

/** {@link LocalRegistry} on a free port. */
export const openLocalRegistry = async (): Promise<LocalRegistry> => {
  const schemas: string[] = []
  const compatibilityOf = new Map<string, string>()
  const requests: string[] = []
  const subjects = new Set<string>()
  let answersLeft = Number.POSITIVE_INFINITY
  let conflictsLeft = 0
  let behindCount = 0
  let takesEarlyLevels = true

  const add = (schema: string): number => {
    if (!schemas.includes(schema)) schemas.push(schema)
    return schemas.indexOf(schema) + 1
  }

  const NOT_FOUND: Answer = [404, { error_code: 404, message: 'not found' }]

  /** A subject that has a schema and no level is told as one with the level `NONE`, which is what Apicurio does. */
  const levelOf = (subject: string): Answer => {
    const compatibilityLevel = compatibilityOf.get(subject) ?? (subjects.has(subject) ? 'NONE' : undefined)
    return compatibilityLevel === undefined ? NOT_FOUND : [200, { compatibilityLevel }]
  }

  const lookUp = (subject: string, schema: string): Answer =>
    subjects.has(subject) && schemas.includes(schema) ? [200, { subject, id: add(schema), schema }] : NOT_FOUND

  const register = (subject: string, schema: string): Answer => {
    if (conflictsLeft-- > 0) return [409, { error_code: 409, message: `an artifact named ${subject} already exists` }]
    subjects.add(subject)
    return [200, { id: add(schema) }]
  }

  const answerTo = async (request: IncomingMessage): Promise<Answer> => {
    const [, kind = '', subject = '', versions] = (request.url ?? '').split('/').map(decodeURIComponent)
    const body = request.method === 'GET' ? {} : JSON.parse(await text(request))
    if (kind === 'config' && request.method === 'PUT') {
      if (!takesEarlyLevels && !subjects.has(subject)) return NOT_FOUND
      compatibilityOf.set(subject, body.compatibility)
      return [200, body]
    }
    if (kind === 'config') return levelOf(subject)
    if (kind === 'subjects') return versions === undefined ? lookUp(subject, body.schema) : register(subject, body.schema)
    if (behindCount-- > 0) return NOT_FOUND
    const schema = schemas[Number((request.url ?? '').split('/').at(-1)) - 1]
    return schema === undefined ? NOT_FOUND : [200, { schema }]
  }

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    requests.push(`${request.method} ${request.url}`)
    const [status, body] = await answerTo(request)
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  }

  const server = createServer((request, response) => {
    if (answersLeft-- <= 0) request.socket.destroy()
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
    setAway: (isAway) => {
      answersLeft = isAway ? 0 : Number.POSITIVE_INFINITY
    },
    setAwayAfter: (count) => {
      answersLeft = count
    },
    refuseEarlyLevels: () => {
      takesEarlyLevels = false
    },
    setBehind: (count) => {
      behindCount = count
    },
    setConflicts: (count) => {
      conflictsLeft = count
    },
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
