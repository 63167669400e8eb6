import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Answer, call, createMerchant, decisionRequest, eventually, type TestMerchant } from '../support/client.ts'
import { dropMongoDatabase, newMongoDatabase } from '../support/mongo-database.ts'
import { describeWithServers } from '../support/real-servers.ts'
import { type RunningServer, startStandalone, temporaryFolder } from '../support/server.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'

/** How long the read store is away: longer than after what the service says that it isn't ready. */
const AWAY_MS = Number(process.env['FAULT_AWAY_MS'] ?? 15_000)

describeWithServers(`a read store that is away for ${AWAY_MS} ms`, () => {
  const folder = temporaryFolder()
  let uri = ''
  let proxy: TcpProxy
  let server: RunningServer
  let merchant: TestMerchant
  let payments = 0

  beforeAll(async () => {
    uri = newMongoDatabase()
    const { hostname, port } = new URL(uri)
    proxy = await startTcpProxy(hostname, Number(port))
    const address = uri.replace(`${hostname}:${port}`, `127.0.0.1:${proxy.port}`)
    server = await startStandalone({ dataDir: folder.path, env: { SWITCHYARD_MONGODB_URI: address } })
    merchant = await createMerchant(server.url)
  }, 60_000)
  afterAll(async () => {
    await server.stop()
    await proxy.close()
    await dropMongoDatabase(uri)
    await folder.remove()
  })

  const send = (request: string, body: object) => call(server.url, request, { body, headers: merchant.key })
  const audit = (paymentId: string) =>
    call(server.url, `GET /analytics/payment-audit?payment_id=${paymentId}`, { headers: { ...merchant.key, 'x-tenant-id': 'public' } })
  /** As somebody asks who has written nothing: not for a position that can't be reached without the store. */
  const readBlindly = async (paymentId: string): Promise<{ readonly status: number; readonly text: string }> => {
    const url = `${server.url}/analytics/payment-audit?payment_id=${paymentId}`
    const response = await fetch(url, { headers: { ...merchant.key, 'x-tenant-id': 'public' } })
    return { status: response.status, text: await response.text() }
  }
  const flows = ({ json }: Answer): readonly string[] =>
    json?.timeline?.map((entry: { readonly flow_type: string }) => entry.flow_type) ?? []

  /** Decides a payment and tells its outcome; both have to be answered as ever. */
  const pay = async (): Promise<string> => {
    const paymentId = `away_${++payments}`
    const decided = await send('POST /decide-gateway', decisionRequest(merchant.id, paymentId))
    expect([decided.status, Object.keys(decided.json.gateway_priority_map).sort()]).toEqual([200, ['adyen', 'checkout', 'stripe']])
    const told = await send('POST /update-gateway-score', {
      merchantId: merchant.id,
      gateway: decided.json.decided_gateway,
      paymentId,
      status: 'CHARGED',
    })
    expect([told.status, told.text]).toEqual([200, expect.stringContaining('updated successfully')])
    return paymentId
  }
  const shown = async (paymentId: string) =>
    await eventually(
      `both events of ${paymentId}`,
      () => audit(paymentId),
      (answer) => flows(answer).length === 2,
    )

  test(
    'decisions, outcomes and commands go on, reads answer 503, and the projector catches up when it is back',
    async () => {
      await shown(await pay())
      proxy.takeAway()
      const backAt = performance.now() + AWAY_MS
      const paid: string[] = []
      const reads: { readonly status: number; readonly text: string }[] = []
      while (performance.now() < backAt) {
        paid.push(await pay())
        reads.push(await readBlindly(paid[0] ?? ''))
      }
      const config = { merchant_id: merchant.id, config: { type: 'successRate', data: { defaultBucketSize: 50 } } }
      expect((await send('POST /rule/create', config)).status).toBe(200)
      expect(new Set(reads.map(({ status }) => status))).toEqual(new Set([503]))
      expect(new Set(reads.map(({ text }) => text))).toEqual(new Set([expect.stringContaining('Failed while connecting to database')]))
      expect((await call(server.url, 'GET /health/ready')).status).not.toBe(200)
      proxy.bringBack()
      for (const paymentId of paid) {
        expect(flows(await shown(paymentId)).toSorted()).toEqual(['decide_gateway_decision', 'update_gateway_score_update'])
      }
      await eventually(
        'being ready again',
        () => call(server.url, 'GET /health/ready'),
        ({ status }) => status === 200,
      )
      expect(server.output()).not.toContain(uri)
    },
    AWAY_MS + 60_000,
  )
})
