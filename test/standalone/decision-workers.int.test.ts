import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals'
import { call, createMerchant, decisionRequest, eventually, type TestMerchant } from '../support/client.ts'
import { type KeptConnection, openConnection } from '../support/kept-connection.ts'
import { scrape, total } from '../support/metrics.ts'
import { type RunningServer, runToEnd, startStandalone, temporaryFolder } from '../support/server.ts'

/** Several processes start and stop here. */
jest.setTimeout(120_000)

const folder = temporaryFolder()
afterAll(() => folder.remove())

const DECIDE = 'POST /decide-gateway'
const REPORT = 'POST /update-gateway-score'
/** More than enough that each of two threads has some: those of other tests are few. */
const CONNECTION_COUNT = 6
/** Requests to hot routes that each thread takes at once. */
const BURST = 40

describe('two decision workers', () => {
  let server: RunningServer
  let merchant: TestMerchant
  /** Opened one after the other and kept: each goes to the thread that has the fewest, so that they are answered by both. */
  let connections: readonly KeptConnection[] = []
  const opened: KeptConnection[] = []

  beforeAll(async () => {
    const env = { SWITCHYARD_WORKERS: '2', SWITCHYARD_METRICS_PORT: '0', SWITCHYARD_LOG_LEVEL: 'info' }
    server = await startStandalone({ dataDir: `${folder.path}/two`, env })
    merchant = await createMerchant(server.url)
    connections = await openBoth(server.url, merchant)
  })
  afterAll(async () => {
    for (const connection of opened) connection.close()
    await server.stop()
  })

  const openBoth = async (url: string, { id, key }: TestMerchant): Promise<readonly KeptConnection[]> => {
    const both: KeptConnection[] = []
    for (let number = 0; number < CONNECTION_COUNT; number += 1) {
      const connection = openConnection(url)
      opened.push(connection)
      both.push(connection)
      await connection.ask(DECIDE, decisionRequest(id, `opening_${number}`), key)
    }
    return both
  }
  const outcome = (paymentId: string, gateway: string, status = 'FAILURE'): object => ({
    merchantId: merchant.id,
    gateway,
    paymentId,
    status,
  })
  const position = (answer: { readonly headers: Readonly<Record<string, unknown>> }): Readonly<Record<string, string>> => ({
    'x-min-log-position': String(answer.headers['x-log-position']),
  })

  test('an outcome that one of them took is seen by each, from its position on', async () => {
    const { id, key } = await createMerchant(server.url)
    const config = { type: 'successRate', data: { defaultBucketSize: 20, defaultHedgingPercent: 0 } }
    await call(server.url, 'POST /rule/create', { body: { merchant_id: id, config }, headers: key })
    const configured = await call(server.url, `GET /merchant-account/${id}`, { headers: key })
    expect(configured.status).toBe(200)
    for (const [index, connection] of connections.entries()) {
      const decided = await connection.ask(DECIDE, decisionRequest(id, `p_${index}`), key)
      expect(decided.status).toBe(200)
      const reported = await connection.ask(REPORT, { ...outcome(`p_${index}`, 'adyen'), merchantId: id }, key)
      expect(reported.status).toBe(200)
      for (const [other, asked] of connections.entries()) {
        const seen = await asked.ask(DECIDE, decisionRequest(id, `q_${index}_${other}`), { ...key, ...position(reported) })
        expect(seen.json.gateway_priority_map.adyen).toBeCloseTo(1 - (index + 1) / 20, 5)
      }
    }
  })

  test('a change of the configuration is seen by each, from its position on', async () => {
    const { id, key } = await createMerchant(server.url)
    for (const gateway of ['stripe', 'adyen', 'checkout']) {
      const algorithm = { type: 'single', data: { gateway_name: gateway } }
      const created = await call(server.url, 'POST /routing/create', { body: { name: gateway, created_by: id, algorithm }, headers: key })
      const body = { created_by: id, routing_algorithm_id: created.json.rule_id }
      const activated = await call(server.url, 'POST /routing/activate', { body, headers: key })
      const headers = { ...key, 'x-min-log-position': activated.headers.get('x-log-position') ?? '' }
      for (const [index, connection] of connections.entries()) {
        const asked = decisionRequest(id, `${gateway}_${index}`, { rankingAlgorithm: 'PL_BASED_ROUTING' })
        expect((await connection.ask(DECIDE, asked, headers)).json.decided_gateway).toBe(gateway)
      }
    }
  })

  test('a key that was just made is known to each at once', async () => {
    for (const connection of connections) {
      const { id, key } = await createMerchant(server.url)
      expect((await connection.ask(DECIDE, decisionRequest(id, 'first'), key)).status).toBe(200)
      expect((await connection.ask(DECIDE, decisionRequest(id, 'first'), { 'x-api-key': 'DE_unknown' })).status).toBe(401)
    }
  })

  test('the same outcome by way of all of them counts once', async () => {
    const { id, key } = await createMerchant(server.url)
    const [first] = connections
    await first?.ask(DECIDE, decisionRequest(id, 'p_1'), key)
    const same = { ...outcome('p_1', 'adyen'), merchantId: id }
    const reported = await Promise.all(connections.map((connection) => connection.ask(REPORT, same, key)))
    expect(reported.map(({ status }) => status)).toEqual(connections.map(() => 200))
    const failures = new Set<number>()
    for (const answer of reported)
      for (const connection of connections) {
        const { json } = await connection.ask(DECIDE, decisionRequest(id, 'p_2'), { ...key, ...position(answer) })
        failures.add(Math.round((1 - json.gateway_priority_map.adyen) * 1_000))
      }
    expect(failures.size).toBe(1)
  })

  test('a strict report finds a payment that the other has decided this moment', async () => {
    const [one, other] = connections
    for (let number = 0; number < 20; number += 1) {
      await one?.ask(DECIDE, decisionRequest(merchant.id, `strict_${number}`), merchant.key)
      const reported = await other?.ask(REPORT, outcome(`strict_${number}`, 'adyen'), { ...merchant.key, 'x-strict': 'true' })
      expect(reported?.status).toBe(200)
    }
    const unknown = await other?.ask(REPORT, outcome('never_decided', 'adyen'), { ...merchant.key, 'x-strict': 'true' })
    expect(unknown?.status).toBe(404)
  })

  test('what either has decided before a reset counts in no later window', async () => {
    const { id, key } = await createMerchant(server.url)
    const headers = { ...key, 'x-tenant-id': 'public' }
    for (const [index, connection] of connections.entries()) {
      expect((await connection.ask(DECIDE, decisionRequest(id, `p_${index}`), key)).status).toBe(200)
      expect((await call(server.url, 'POST /gateway-score/reset', { body: { merchant_id: id }, headers })).status).toBe(200)
      const reported = await connection.ask(REPORT, { ...outcome(`p_${index}`, 'adyen'), merchantId: id }, key)
      const { json } = await connection.ask(DECIDE, decisionRequest(id, 'look'), { ...key, ...position(reported) })
      expect(json.gateway_priority_map.adyen).toBe(1)
    }
  })

  test('every other route is answered on the same connections, and decisions on them afterwards', async () => {
    const mixed = await openBoth(server.url, merchant)
    for (const connection of mixed) {
      expect((await connection.ask(`GET /merchant-account/${merchant.id}`, undefined, merchant.key)).json.merchant_id).toBe(merchant.id)
      expect((await connection.ask('GET /health', undefined, {})).status).toBe(200)
      expect((await connection.ask('GET /nowhere', undefined, {})).status).toBe(404)
      expect((await connection.ask(DECIDE, decisionRequest(merchant.id, 'after'), merchant.key)).status).toBe(200)
    }
  })

  test('a large upload that begins at any of them arrives as a whole', async () => {
    const lines = Array.from({ length: 5_000 }, (_, index) => outcome(`upload_${index}`, 'adyen', 'CHARGED'))
    const body = lines.map((line) => JSON.stringify(line)).join('\n')
    for (let number = 0; number < 4; number += 1) {
      const { text, status } = await call(server.url, 'POST /update-gateway-score/batch', { body, headers: merchant.key })
      expect([status, text.trim().split('\n').length]).toEqual([200, lines.length])
    }
  })

  test('requests that come together, hot and cold, are answered in their order', async () => {
    const { hostname, port } = new URL(server.url)
    const hot = (paymentId: string): string => {
      const body = JSON.stringify(decisionRequest(merchant.id, paymentId))
      const key = merchant.key['x-api-key']
      return `POST /decide-gateway HTTP/1.1\r\nHost: x\r\nx-api-key: ${key}\r\nx-request-id: ${paymentId}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    }
    const cold = (id: string, more = ''): string => `GET /health HTTP/1.1\r\nHost: x\r\nx-request-id: ${id}\r\n${more}\r\n`
    for (let number = 0; number < 4; number += 1) {
      const socket = connect(Number(port), hostname)
      let received = ''
      socket.on('data', (chunk) => (received += chunk.toString()))
      socket.write(hot('one') + hot('two') + cold('three') + hot('four') + cold('five', 'Connection: close\r\n'))
      await new Promise((resolve) => socket.once('close', resolve))
      expect([...received.matchAll(/^x-request-id: (\w+)/gim)].map(([, id]) => id)).toEqual(['one', 'two', 'three', 'four', 'five'])
    }
  })

  test('metrics add up what all of them did', async () => {
    const before = total(await scrape(server.output()), 'routing_decisions_total') ?? 0
    for (const connection of connections) await connection.ask(DECIDE, decisionRequest(merchant.id, 'counted'), merchant.key)
    const series = await scrape(server.output())
    expect(total(series, 'routing_decisions_total')).toBe(before + connections.length)
    expect(total(series, 'api_requests_total', { endpoint: DECIDE })).toBe(total(series, 'api_latency_seconds_count', { endpoint: DECIDE }))
    expect(total(series, 'process_cpu_seconds_total')).toBeGreaterThan(0)
    expect(total(series, 'append_buffer_capacity_events')).toBe(100_000)
    await eventually(
      'all decisions in the log',
      () => scrape(server.output()),
      (found) =>
        (total(found, 'recorded_events_total', { type: 'switchyard.payments.GatewayDecided' }) ?? 0) >= before + connections.length,
    )
  })
})

describe('decision workers', () => {
  test('each has its own count of a credential where decisions are limited', async () => {
    const env = { SWITCHYARD_WORKERS: '2', SWITCHYARD_RATE_LIMIT_HOT: `1/${BURST}` }
    const server = await startStandalone({ dataDir: `${folder.path}/limited`, env })
    const merchant = await createMerchant(server.url)
    const connections = Array.from({ length: CONNECTION_COUNT }, () => openConnection(server.url))
    let acceptedCount = 0
    for (let number = 0; number < BURST; number += 1) {
      const asked = connections.map((connection) => connection.ask(DECIDE, decisionRequest(merchant.id, `p_${number}`), merchant.key))
      acceptedCount += (await Promise.all(asked)).filter(({ status }) => status === 200).length
    }
    expect(acceptedCount).toBeGreaterThanOrEqual(2 * BURST)
    expect(acceptedCount).toBeLessThan(CONNECTION_COUNT * BURST)
    for (const connection of connections) connection.close()
    expect(await server.stop()).toBe(0)
  })

  test('a stop lets connections go at all of them, and what was acknowledged is there', async () => {
    const dataDir = `${folder.path}/stopped`
    const env = { SWITCHYARD_WORKERS: '3', SWITCHYARD_DRAIN_MS: '300' }
    const server = await startStandalone({ dataDir, env })
    const { id, key } = await createMerchant(server.url)
    const connections = Array.from({ length: 6 }, () => openConnection(server.url))
    for (const [index, connection] of connections.entries()) {
      await connection.ask(DECIDE, decisionRequest(id, `p_${index}`), key)
      const reported = await connection.ask(REPORT, { merchantId: id, gateway: 'adyen', paymentId: `p_${index}`, status: 'CHARGED' }, key)
      expect(reported.status).toBe(200)
    }
    const ended = server.stop()
    const ready = () => call(server.url, 'GET /health/ready')
    await eventually('being not ready', ready, ({ status }) => status !== 200)
    for (const [index, connection] of connections.entries()) {
      const last = await connection.ask(DECIDE, decisionRequest(id, `last_${index}`), key)
      expect([last.status, last.headers.connection]).toEqual([200, 'close'])
    }
    for (const connection of connections) connection.close()
    expect(await ended).toBe(0)
    const again = await startStandalone({ dataDir })
    for (const paymentId of [...connections.keys()].flatMap((index) => [`p_${index}`, `last_${index}`])) {
      const body = { merchantId: id, gateway: 'adyen', paymentId, status: 'CHARGED' }
      expect((await call(again.url, REPORT, { body, headers: { ...key, 'x-strict': 'true' } })).status).toBe(200)
    }
    await again.stop()
  })

  test('a stop lets a request that has come in part be answered, though another thread began to read it', async () => {
    const server = await startStandalone({ dataDir: `${folder.path}/in-part`, env: { SWITCHYARD_WORKERS: '2' } })
    const { id, key } = await createMerchant(server.url)
    const { hostname, port } = new URL(server.url)
    const request = `POST /routing/list/${id} HTTP/1.1\r\nHost: x\r\nx-api-key: ${key['x-api-key']}\r\nContent-Length: 0\r\n\r\n`
    const socket = connect(Number(port), hostname)
    let received = ''
    socket.on('data', (chunk) => (received += chunk.toString()))
    await new Promise((resolve) => socket.write(request.slice(0, 8), resolve))
    // Each thread has one that came later: by its second answer there the thread has read what came before.
    const later = Array.from({ length: CONNECTION_COUNT }, () => openConnection(server.url))
    for (const connection of later)
      for (const paymentId of ['one', 'two']) await connection.ask(DECIDE, decisionRequest(id, paymentId), key)
    for (const connection of later) connection.close()
    const ended = server.stop()
    const isListening = () =>
      call(server.url, 'GET /health').then(
        () => true,
        () => false,
      )
    await eventually('the listener being closed', isListening, (listens) => !listens)
    socket.write(request.slice(8))
    await new Promise((resolve) => socket.once('close', resolve))
    expect(received).toMatch(/^HTTP\/1\.1 200 /)
    expect(await ended).toBe(0)
  })

  test('the second signal ends the process at once', async () => {
    const env = { SWITCHYARD_WORKERS: '2', SWITCHYARD_DRAIN_MS: '60000' }
    const server = await startStandalone({ dataDir: `${folder.path}/twice`, env })
    const ended = server.stop()
    await eventually(
      'being not ready',
      () => call(server.url, 'GET /health/ready'),
      ({ status }) => status !== 200,
    )
    expect(await server.stop()).toBe(1)
    await ended
  })

  test.each(['0', '17', 'two', '1.5'])('SWITCHYARD_WORKERS=%s: one clear line, exit code 1', async (value) => {
    const { code, output } = await runToEnd({ dataDir: `${folder.path}/refused`, env: { SWITCHYARD_WORKERS: value } })
    expect([code, output.trim().split('\n').length]).toEqual([1, 1])
    expect(output).toMatch(/SWITCHYARD_WORKERS: must be (from 1 to 16|a whole number)/)
  })
})
