import { Agent, request } from 'node:http'

/** A request that takes longer is given up. */
const REQUEST_TIMEOUT_MS = 10_000

/** The server answered with another status than 200, or not at all. */
class RequestFailed extends Error {
  /**
   * @param {string} message
   * @param {{ readonly status: number | null, readonly cause?: unknown }} details
   */
  constructor(message, { status, cause }) {
    super(message, { cause })
    this.name = 'RequestFailed'
    this.status = status
  }
}

/**
 * A small JSON client with kept connections.
 *
 * @param {{ readonly url: string, readonly connectionCountMax: number }} options
 */
export const createHttpClient = ({ url, connectionCountMax }) => {
  const agent = new Agent({ keepAlive: true, maxSockets: connectionCountMax })

  /**
   * Posts a JSON body and gives the parsed answer; rejects with {@link RequestFailed}.
   *
   * @param {string} path
   * @param {{ readonly headers: Record<string, string>, readonly body: unknown }} message
   * @returns {Promise<any>}
   */
  const post = (path, { headers, body }) =>
    new Promise((resolve, reject) => {
      const bytes = Buffer.from(JSON.stringify(body))
      const fail = (message, details) => reject(new RequestFailed(`POST ${path}: ${message}`, details))
      const call = request(
        new URL(path, url),
        {
          method: 'POST',
          agent,
          timeout: REQUEST_TIMEOUT_MS,
          headers: { ...headers, 'content-type': 'application/json', 'content-length': bytes.length },
        },
        (response) => {
          const chunks = []
          response.on('data', (chunk) => chunks.push(chunk))
          response.on('error', (cause) => fail('the answer broke off', { status: null, cause }))
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString()
            if (response.statusCode === 200) resolve(JSON.parse(text))
            else fail(`status ${response.statusCode}, ${text.slice(0, 300)}`, { status: response.statusCode ?? null })
          })
        },
      )
      call.on('timeout', () => call.destroy(new Error(`no answer within ${REQUEST_TIMEOUT_MS} ms`)))
      call.on('error', (cause) => fail(cause.message, { status: null, cause }))
      call.end(bytes)
    })

  return { post, close: () => agent.destroy() }
}
