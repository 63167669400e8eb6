import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, jest, test } from '@jest/globals'
import { STREAMED_BODY_BYTES_MAX } from '../limits.ts'
import { sampleSpec } from '../server/sample-server.fixture.ts'
import { type RouteBody, readRouteBody } from './route-body.ts'

/** A request whose client has gone before anybody read its body, as while its key was looked up. */
const abandonedRequest = async (): Promise<{ readonly request: IncomingMessage; readonly response: ServerResponse }> => {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port }: AddressInfo = Object(server.address())
  const client = connect(port, '127.0.0.1')
  client.write('POST / HTTP/1.1\r\nhost: h\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{')
  const [request, response] = await once(server, 'request')
  client.destroy()
  await once(request, 'close').catch(() => {})
  server.close()
  return { request, response }
}

test.each([
  ['json', {}],
  ['stream', { streamBytesMax: STREAMED_BODY_BYTES_MAX + 1 }],
] as const)('a %s body whose client has gone already is told as aborted, and nothing goes on watching it', async (body, more) => {
  const { request, response } = await abandonedRequest()
  const watch = jest.spyOn(globalThis, 'setInterval')
  const told: RouteBody[] = []
  readRouteBody(sampleSpec({ method: 'POST', body, ...more }), request, response, (each) => told.push(each))
  await new Promise((resolve) => setImmediate(resolve))
  expect(told).toEqual([{ kind: 'aborted' }])
  expect(watch).not.toHaveBeenCalled()
  watch.mockRestore()
})
