import { afterEach, describe, expect, test } from '@jest/globals'
import { bodyStreamOf } from '../body/body-stream.ts'
import { openRawClient, type RawClient } from '../hot/raw-client.fixture.ts'
import type { Route } from '../route.ts'
import { createSampleServer, createSlowRoute, echo, type SampleServer, type SlowRoute, sampleSpec } from './sample-server.fixture.ts'

const GET_SLOW = 'GET /slow HTTP/1.1\r\nHost: x\r\n\r\n'
const GET_COLD = 'GET /cold HTTP/1.1\r\nHost: x\r\n\r\n'
const UNREADABLE = 'GET /cold HTTP/1.1\r\nno header\r\n\r\n'
const chunkedTo = (path: string): string => `POST ${path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n`

/** Answers each piece of its body while more of it comes. */
const answeredInPieces: Route = {
  spec: sampleSpec({ path: '/lines', method: 'POST', body: 'stream' }),
  handle: (request) => {
    const answerEach = async function* (): AsyncGenerator<string> {
      for await (const piece of bodyStreamOf(request)) yield `${piece.length}\n`
    }
    return { status: 200, pieces: answerEach() }
  },
}

const collected = echo({ path: '/json', method: 'POST', body: 'raw-json' })
const guarded = echo({ path: '/guarded', access: 'protected', method: 'POST', body: 'raw-json' })

describe('refusals of what HTTP cannot read', () => {
  let slow: SlowRoute
  let server: SampleServer
  let client: RawClient
  afterEach(async () => {
    client.end()
    await server.close()
  })
  const open = async (requestTimeoutMs = 60_000): Promise<RawClient> => {
    slow = createSlowRoute({ path: '/slow' }, { status: 200, body: 'late' })
    server = createSampleServer([slow.route, answeredInPieces, collected, guarded, echo({ path: '/cold' })], { requestTimeoutMs })
    const { port } = await server.listen(0, '127.0.0.1')
    client = openRawClient(port)
    return client
  }
  const statusesIn = (text: string): readonly string[] => text.match(/HTTP\/1.1 \d+/g) ?? []

  test.each([
    ['a head that is none', UNREADABLE, 'HTTP/1.1 400'],
    ['a body that is none', `${chunkedTo('/json')}no length`, 'HTTP/1.1 400'],
    ['a head that does not come to its end', 'GET /cold HTTP/1.1\r\n', 'HTTP/1.1 408'],
  ])('%s is refused behind the answers to the requests before it', async (_name, behind, refusal) => {
    const { write, closed } = await open(50)
    await write(GET_SLOW + GET_COLD + behind)
    await slow.entered
    await new Promise((resolve) => setTimeout(resolve, 150))
    await write('more of what nobody can read')
    slow.answer()
    expect(statusesIn(await closed())).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', refusal])
  })

  test('a request that is refused by its head gets one answer when its body breaks in the same moment', async () => {
    const { write, closed } = await open()
    await write('POST /guarded HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n')
    expect(statusesIn(await closed())).toEqual(['HTTP/1.1 400'])
  })

  test('an answer that has begun is cut off when its body breaks: the refusal came to stand in the middle of it', async () => {
    const { socket, write, closed } = await open()
    const begun = new Promise((resolve) => socket.on('data', (chunk) => chunk.includes('2\r\n1\n') && resolve(undefined)))
    await write(chunkedTo('/lines'))
    await begun
    await write('no length\r\n')
    const answer = await closed()
    expect(answer).toMatch(/^HTTP\/1.1 200 /)
    expect(answer).toMatch(/\r\n2\r\n1\n\r\n$/)
  })
})
