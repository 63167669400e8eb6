import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { Route } from '../route.ts'
import {
  createSampleServer,
  createSlowRoute,
  echo,
  SAMPLE_KEY,
  type SampleServer,
  type SlowRoute,
  sampleSpec,
} from '../server/sample-server.fixture.ts'
import { openRawClient, type RawClient } from './raw-client.fixture.ts'

const hotSpec = { access: 'protected', method: 'POST', body: 'raw-json', hot: true } as const

const comparable = (answer: string): string => answer.replaceAll(/(x-request-id: id-)\d+|(Date: ).*/g, '$1$2')
const requestOf = (headers: string, body: string, path = '/hot'): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\n${headers}Content-Length: ${Buffer.byteLength(body, 'latin1')}\r\n\r\n${body}`
const WITH_KEY = `x-api-key: ${SAMPLE_KEY}\r\n`

describe('hot connections', () => {
  let server: SampleServer
  let port: number
  let clients: RawClient[]
  let slow: SlowRoute

  beforeEach(async () => {
    slow = createSlowRoute({ ...hotSpec, path: '/slow' }, { status: 200, body: 'late', headers: { 'x-log-position': 'payments-0-1' } })
    const broken: Route = {
      spec: sampleSpec({ ...hotSpec, path: '/broken' }),
      handle: () => {
        throw new Error('a bug')
      },
    }
    const ofOne = echo({ ...hotSpec, path: '/of/:id/hot' })
    server = createSampleServer([echo({ ...hotSpec, path: '/hot' }), ofOne, slow.route, broken, echo({ path: '/cold' })])
    port = (await server.listen(0, '127.0.0.1')).port
    clients = []
  })
  afterEach(async () => {
    slow.answer()
    for (const client of clients) client.end()
    await server.close()
  })

  const open = (): RawClient => {
    const client = openRawClient(port)
    clients.push(client)
    return client
  }
  /** A connection that node:http serves from its first request on. */
  const openAtNode = async (): Promise<RawClient> => {
    const client = open()
    await client.write('GET /cold HTTP/1.1\r\nHost: x\r\n\r\n')
    await client.answer()
    return client
  }

  test('a request is answered as node:http answers it, whatever its headers and body are and however it is cut in pieces', async () => {
    const hot = open()
    const node = await openAtNode()
    const value = fc.constantFrom(SAMPLE_KEY, 'revoked-key', 'unknown', '', 'x'.repeat(300))
    const headers = fc.array(
      fc.oneof(
        value.map((key) => `x-api-key: ${key}\r\n`),
        fc.constantFrom('x-request-id: my-id\r\n', 'X-Request-Id: \x7f\r\n', 'x-admin-secret: no\r\n', 'x-admin-secret: test_admin\r\n'),
        fc.constantFrom('Authorization: Bearer x\r\n', 'Content-Type: text/plain\r\n', 'x-min-log-position: config-0-9\r\n'),
      ),
      { maxLength: 3 },
    )
    const body = fc.oneof(fc.json(), fc.string(), fc.constantFrom('', '{"a":"\xc3\xa9"}', '{"a":"\xff"}', '{"a":1,}', '['.repeat(300)))
    const cuts = fc.array(fc.nat(400), { maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(headers, body, cuts, async (lines, text, at) => {
        const request = requestOf([...new Set(lines)].join(''), text)
        await node.write(request)
        let from = 0
        for (const to of [...new Set([...at, request.length])].sort((a, b) => a - b).filter((cut) => cut <= request.length)) {
          if (to > from) await hot.write(request.slice(from, to))
          from = to
        }
        expect(comparable(await hot.answer())).toBe(comparable(await node.answer()))
      }),
      { numRuns: 150 },
    )
  })

  test.each(['/of/m1/hot', '/of/a%20b/hot', '/of/%/hot', '/of//hot', '/of/m1/hot/', '/of/m1/hot?x=1'])(
    'a path with a parameter is answered as node:http answers it: %s',
    async (path) => {
      const hot = open()
      const node = await openAtNode()
      await node.write(requestOf(WITH_KEY, '{"a":1}', path))
      await hot.write(requestOf(WITH_KEY, '{"a":1}', path))
      expect(comparable(await hot.answer())).toBe(comparable(await node.answer()))
    },
  )

  test('requests that come together are answered in their order', async () => {
    const client = open()
    await client.write(requestOf(WITH_KEY, '1', '/slow') + requestOf(WITH_KEY, '2') + requestOf(WITH_KEY, '3'))
    await slow.entered
    slow.answer()
    const answers = [await client.answer(), await client.answer(), await client.answer()]
    expect(answers.map((answer) => /"late"|"body":\d/.exec(answer)?.[0])).toEqual(['"late"', '"body":2', '"body":3'])
    expect(answers[0]).toContain('\r\nx-log-position: payments-0-1\r\n')
  })

  test('more requests at once than are kept waiting are answered all the same, and so is one that comes later', async () => {
    const client = open()
    const body = JSON.stringify('x'.repeat(9_000))
    const requests = Array.from({ length: 20 }, () => requestOf(WITH_KEY, body))
    await client.write(requestOf(WITH_KEY, '1', '/slow'))
    await slow.entered
    for (const request of requests) await client.write(request)
    await new Promise((resolve) => setTimeout(resolve, 20))
    slow.answer()
    expect(await client.answer()).toContain('"late"')
    for (const _ of requests) expect(await client.answer()).toContain('"body":"xxx')
    await client.write(requestOf(WITH_KEY, '2'))
    expect(await client.answer()).toContain('"body":2')
  })

  test('a connection goes on after a request that is not plain, and after a mistake of ours', async () => {
    const client = open()
    await client.write(requestOf(WITH_KEY, '1'))
    expect(await client.answer()).toContain('"body":1')
    await client.write(requestOf(WITH_KEY, '1', '/broken'))
    expect(await client.answer()).toMatch(/^HTTP\/1.1 500 /)
    expect(server.logged).toHaveLength(1)
    await client.write('GET /cold HTTP/1.1\r\nHost: x\r\n\r\n')
    expect(await client.answer()).toMatch(/^HTTP\/1.1 200 /)
    await client.write(requestOf(WITH_KEY, '2'))
    expect(await client.answer()).toContain('"body":2')
  })

  test('a request in very many pieces is passed on to node:http, which bounds its time', async () => {
    const client = open()
    for (const unit of requestOf(WITH_KEY, '"slowly"')) {
      await client.write(unit)
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    expect(await client.answer()).toContain('"body":"slowly"')
  })

  test('a client that says that it is done gets its answer, and the connection ends', async () => {
    const client = open()
    client.socket.end(requestOf(WITH_KEY, '1', '/slow'), 'latin1')
    await slow.entered
    slow.answer()
    expect(await client.closed()).toContain('"late"')
  })

  test('a client that says that it is done gets all its answers: of several requests those behind the first ones were not looked at', async () => {
    const client = open()
    client.socket.end(
      [1, 2, 3, 4].map((number) => requestOf(WITH_KEY, String(number))).join('') + requestOf(WITH_KEY, '5').slice(0, -1),
      'latin1',
    )
    expect((await client.closed()).match(/"body":\d/g)).toEqual(['"body":1', '"body":2', '"body":3', '"body":4'])
  })

  test('what is not plain behind the last bytes of a client ends the connection behind the answers', async () => {
    const client = open()
    client.socket.end(`${requestOf(WITH_KEY, '1')}${requestOf(WITH_KEY, '2')}GET /cold HTTP/1.1\r\nHost: x\r\n\r\n`, 'latin1')
    const answers = (await client.closed()).match(/"body":\d/g)
    expect(answers).toEqual(['"body":1', '"body":2'])
    expect(server.logged).toEqual([])
  })

  test('a client that goes away before its answer harms nobody', async () => {
    const client = open()
    await client.write(requestOf(WITH_KEY, '1', '/slow'))
    await slow.entered
    client.end()
    slow.answer()
    const other = open()
    await other.write(requestOf(WITH_KEY, '2'))
    expect(await other.answer()).toContain('"body":2')
    expect(server.logged).toEqual([])
  })

  test('closing ends idle connections, and lets a running request finish', async () => {
    const idle = open()
    await idle.write(requestOf(WITH_KEY, '1'))
    await idle.answer()
    const running = open()
    await running.write(requestOf(WITH_KEY, '1', '/slow'))
    await slow.entered
    const closing = server.close()
    expect(await idle.closed()).toBe('')
    slow.answer()
    const answer = await running.closed()
    expect(answer).toContain('"late"')
    expect(answer).toContain('connection: close')
    await closing
  })

  test('closing cuts a request that does not finish', async () => {
    const impatient = createSampleServer([{ spec: sampleSpec({ ...hotSpec, path: '/hot' }), handle: () => new Promise(() => {}) }], {
      closeTimeoutMs: 1,
    })
    const address = await impatient.listen(0, '127.0.0.1')
    const client = openRawClient(address.port)
    await client.write(requestOf(WITH_KEY, '1'))
    await impatient.close()
    expect(await client.closed()).toBe('')
  })
})
