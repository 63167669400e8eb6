import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { hasNginx, type RunningGateway, startGateway } from './nginx.fixture.ts'
import { routeTable } from './route-table.mjs'

/** `describe` for tests that need nginx: reported as skipped where there is none. */
const describeWithNginx = hasNginx ? describe : describe.skip

const SERVICES = ['command-api', 'decide', 'query-api', 'webhook-dispatcher', 'cost-ingestion']

/** What a service saw of a request, as its answer. */
const echo = (service: string): Server =>
  createServer((incoming, response) => {
    const { method, url, headers, socket } = incoming
    response.setHeader('x-request-id', headers['x-request-id'] ?? '')
    response.setHeader('content-type', 'application/json')
    const answer = JSON.stringify({ service, method, url, headers, peer: socket.remotePort })
    if (url === '/update-gateway-score/batch') {
      // A piece for each piece, as soon as it comes.
      incoming.once('data', () => response.write(`${answer}\n`))
      incoming.on('end', () => response.end('end'))
      return
    }
    incoming.resume().on('end', () => response.end(answer))
  })

const portOf = (server: Server): number => {
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('a TCP server has an address')
  return address.port
}

describeWithNginx('the gateway (nginx)', () => {
  const servers = new Map<string, Server>()
  let gateway: RunningGateway

  beforeAll(async () => {
    for (const service of SERVICES) {
      const server = echo(service).listen(0, '127.0.0.1')
      await once(server, 'listening')
      servers.set(service, server)
    }
    gateway = await startGateway(Object.fromEntries([...servers].map(([service, server]) => [service, portOf(server)])))
  })
  afterAll(async () => {
    await gateway.stop()
    for (const server of servers.values()) {
      server.closeAllConnections()
      server.close()
    }
  })

  const ask = async (method: string, path: string, headers: Readonly<Record<string, string>> = {}) => {
    const sent = request({ host: '127.0.0.1', port: gateway.port, method, path, headers }).end()
    const response: IncomingMessage = (await once(sent, 'response'))[0]
    const body = await text(response)
    return { status: response.statusCode, headers: response.headers, body, seen: body.startsWith('{') ? JSON.parse(body) : undefined }
  }

  test.each(
    routeTable.flatMap(({ service, specs }) =>
      specs.filter(({ body }) => body !== 'stream').map((spec) => [spec.method, spec.path, service]),
    ),
  )('%s %s is answered by %s, and its target arrives as it was sent', async (method = '', path = '', service = '') => {
    const target = `${path.replaceAll(/:[^/]+/g, 'a%2Fb%20')}?x=%2F..%2F&y=/decide-gateway`
    const { seen } = await ask(method, target)
    expect(seen).toMatchObject({ service, method, url: target })
  })

  test.each(['//decide-gateway', '/decide-gateway/', '/x/../decide-gateway', '/decide%2Dgateway'])(
    '%s is no route here either',
    async (path) => {
      expect((await ask('POST', path)).seen).toMatchObject({ service: 'query-api', url: path })
    },
  )

  test('headers pass both ways, the request id with them', async () => {
    const { seen, headers } = await ask('GET', '/health', { 'x-request-id': 'mine 1', 'x-tenant-id': 'public', 'x-min-log-position': 'p' })
    expect(seen.headers).toMatchObject({ 'x-request-id': 'mine 1', 'x-tenant-id': 'public', 'x-min-log-position': 'p' })
    expect(headers['x-request-id']).toBe('mine 1')
  })

  test.each([[{}], [{ 'x-request-id': 'x'.repeat(129) }]])('a request without a usable id gets one for all log lines', async (headers) => {
    expect((await ask('GET', '/health', headers)).seen.headers['x-request-id']).toMatch(/^[0-9a-f]{32}$/)
  })

  test('connections to a service are kept', async () => {
    const peers = []
    for (let i = 0; i < 5; i++) peers.push((await ask('POST', '/decide-gateway')).seen.peer)
    expect(new Set(peers).size).toBe(1)
  })

  test('an upload streams: the answer begins before the body has ended', async () => {
    const sent = request({ host: '127.0.0.1', port: gateway.port, method: 'POST', path: '/update-gateway-score/batch' })
    sent.write('{"first":1}\n')
    const response: IncomingMessage = (await once(sent, 'response'))[0]
    const [piece] = await once(response, 'data')
    expect(JSON.parse(String(piece))).toMatchObject({ service: 'decide', headers: { 'transfer-encoding': 'chunked' } })
    sent.end('{"second":2}\n')
    expect(await text(response)).toBe('end')
  })

  test('a body that does not fit into memory arrives whole', async () => {
    const sent = request({ host: '127.0.0.1', port: gateway.port, method: 'POST', path: '/rule/create' })
    sent.end('x'.repeat(3 * 1024 * 1024))
    const response: IncomingMessage = (await once(sent, 'response'))[0]
    const { service, headers } = JSON.parse(await text(response))
    expect({ status: response.statusCode, service, length: headers['content-length'] }).toEqual({
      status: 200,
      service: 'command-api',
      length: String(3 * 1024 * 1024),
    })
  })

  test('a body that no service would read is refused in the envelope of the services', async () => {
    const { status, headers, body } = await ask('POST', '/rule/create', {
      'content-length': String(11 * 1024 * 1024),
      'x-request-id': 'r1',
    })
    expect({ status, body: JSON.parse(body) }).toEqual({
      status: 413,
      body: { code: 'TE_03', message: 'Failed to buffer the request body: length limit exceeded', data: null },
    })
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'x-request-id': 'r1' })
  })

  test.each([
    ['a line that is no HTTP', 'NONSENSE\r\n\r\n', 400],
    ['a path with the character NUL', 'GET /rule/%00 HTTP/1.1\r\nhost: a\r\n\r\n', 400],
    ['a path above the root', 'GET /rule/..%2F..%2F..%2Fx HTTP/1.1\r\nhost: a\r\n\r\n', 400],
    ['no Host', 'GET /health HTTP/1.1\r\n\r\n', 400],
    ['headers that are too large', `GET /health HTTP/1.1\r\nhost: a\r\nx-large: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['a target that is too long', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nhost: a\r\n\r\n`, 431],
  ])('%s is answered in the envelope', async (_name, bytes, status) => {
    const socket = connect(gateway.port, '127.0.0.1')
    socket.write(bytes)
    const answer = await text(socket)
    expect(answer).toContain(`HTTP/1.1 ${status} `)
    expect(answer).toContain('{"code":"TE_03",')
  })

  test('while a service is away its routes answer 503, and the others go on', async () => {
    const server = servers.get('command-api')
    const port = server === undefined ? 0 : portOf(server)
    server?.closeAllConnections()
    server?.close()
    const { status, headers, body } = await ask('POST', '/rule/get', { 'x-request-id': 'r2' })
    expect(status).toBe(503)
    expect(headers).toMatchObject({ 'retry-after': '1', 'x-request-id': 'r2' })
    expect(JSON.parse(body)).toMatchObject({ code: 'TE_01', data: null })
    expect((await ask('POST', '/decide-gateway')).status).toBe(200)
    expect(gateway.log()).toContain('"request_id":"r2","method":"POST","path":"/rule/get","status":503,"service":"command-api"')
    server?.listen(port, '127.0.0.1')
    if (server !== undefined) await once(server, 'listening')
  })

  test('says that it is up by itself, to its container only', async () => {
    const answer = await fetch(`http://127.0.0.1:${gateway.healthPort}/health`)
    expect({ status: answer.status, text: await answer.text() }).toEqual({ status: 200, text: 'up' })
  })
})
