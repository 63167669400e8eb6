import { Agent, type IncomingHttpHeaders, request } from 'node:http'

/** An answer on such a connection. */
interface KeptAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into bodies of every shape
  readonly json: any
}

/** One kept connection: whoever answers on it answers on it again. */
export interface KeptConnection {
  readonly ask: (call: string, body: unknown, headers: Readonly<Record<string, string>>, signal?: AbortSignal) => Promise<KeptAnswer>
  readonly close: () => void
}

/** Requests on a connection of their own, one after the other. */
export const openConnection = (url: string): KeptConnection => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    close: () => agent.destroy(),
    ask: (call, body, headers, signal) =>
      new Promise((resolve, reject) => {
        const [method = 'GET', path = '/'] = call.split(' ')
        const sentText = body === undefined ? '' : JSON.stringify(body)
        const length = body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sentText) }
        const options = { method, agent, headers: { ...length, ...headers }, ...(signal === undefined ? {} : { signal }) }
        const sent = request(new URL(path, url), options, (response) => {
          let text = ''
          response.setEncoding('utf8')
          response.on('data', (chunk: string) => (text += chunk))
          response.on('error', reject)
          response.on('end', () => {
            const { statusCode: status = 0, headers } = response
            resolve({ status, headers, text, json: text === '' ? undefined : JSON.parse(text) })
          })
        })
        sent.on('error', reject)
        sent.end(sentText)
      }),
  }
}
