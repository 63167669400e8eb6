import { afterAll, expect, test } from '@jest/globals'
import { call, createMerchant, decisionRequest } from '../support/client.ts'
import { switchyard } from '../support/operator.ts'
import { startStandalone, temporaryFolder } from '../support/server.ts'

const folder = temporaryFolder()
afterAll(async () => {
  await folder.remove()
})

test('events say which trace their request was part of, and no other does', async () => {
  const server = await startStandalone({ dataDir: folder.path })
  const merchant = await createMerchant(server.url)
  const traceparent = (end: string): string => `00-4bf92f3577b34da6a3ce929d0e0e${end}-00f067aa0ba902b7-01`
  const send = (request: string, body: unknown, headers: Readonly<Record<string, string>>) =>
    call(server.url, request, { body, headers: { ...merchant.key, ...headers } })
  await send('POST /decide-gateway', decisionRequest(merchant.id, 'pay_traced'), { traceparent: traceparent('0001') })
  await send('POST /decide-gateway', decisionRequest(merchant.id, 'pay_wrong'), { traceparent: 'not a trace' })
  await send('POST /decide-gateway', decisionRequest(merchant.id, 'pay_alone'), {})
  await send(`POST /merchant-account/${merchant.id}/debit-routing`, { enabled: true }, { traceparent: traceparent('0002') })
  await server.stop()

  const traces = async (topic: string) => {
    const { lines } = await switchyard(folder.path, 'replay', '--topic', topic, '--format', 'ndjson')
    const events = lines.map((line) => JSON.parse(line)).filter(({ type }) => type !== 'ApiKeysUsed')
    return events.map(({ type, data, trace }) => [data.paymentId ?? type, trace])
  }
  expect(await traces('payments')).toEqual([
    ['pay_traced', traceparent('0001')],
    ['pay_wrong', null],
    ['pay_alone', null],
  ])
  expect(await traces('config')).toContainEqual(['DebitRoutingEnabled', traceparent('0002')])
})
