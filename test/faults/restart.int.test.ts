import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createEventCodec, publishedSchemaIds } from '@switchyard/events'
import type { NewRecord } from '@switchyard/kernel'
import { createEmbeddedLog } from '@switchyard/log-embedded'
import { call, createMerchant, decisionRequest, type TestMerchant } from '../support/client.ts'
import { startStandalone, temporaryFolder } from '../support/server.ts'
import { decidedEvent, outcomeEvent } from './payment-events.ts'

/** More than a snapshot leaves behind itself. How long a restart takes is measured by `npm run bench -- start`. */
const EVENT_COUNT = 200_000
const BATCH = 5_000
const RESTART_COUNT = 3

const folder = temporaryFolder()
let merchant: TestMerchant
afterAll(() => folder.remove())

/** Half decisions, half outcomes, as the service writes them. */
const fillLog = async (): Promise<void> => {
  const log = createEmbeddedLog({ folder: join(folder.path, 'log'), role: 'owner' })
  const codec = createEventCodec(publishedSchemaIds(), { strict: false })
  const startedAt = Date.now() - EVENT_COUNT
  for (let first = 0; first < EVENT_COUNT; first += BATCH) {
    const records = Array.from({ length: BATCH }, (_, index): NewRecord => {
      const number = first + index
      const fact = { merchantId: merchant.id, paymentId: `stored_${number >> 1}`, at: startedAt + number }
      const event = number % 2 === 0 ? decidedEvent(fact) : outcomeEvent(fact)
      return {
        key: merchant.id,
        value: codec.encode(event),
        headers: { id: `stored_${number}`, type: `switchyard.payments.${event.type}` },
      }
    })
    await log.append('payments', records)
  }
  await log.close()
}

beforeAll(async () => {
  const first = await startStandalone({ dataDir: folder.path })
  merchant = await createMerchant(first.url)
  await first.stop()
  await fillLog()
}, 60_000)

const ask = (url: string) => call(url, 'POST /decide-gateway', { body: decisionRequest(merchant.id, 'probe'), headers: merchant.key })

test(`killed with -9 again and again, it starts on ${EVENT_COUNT} stored events with the same scores`, async () => {
  let server = await startStandalone({ dataDir: folder.path })
  const scores = (await ask(server.url)).json.gateway_priority_map
  expect(scores.adyen).toBeLessThan(1)
  for (let restart = 0; restart < RESTART_COUNT; restart++) {
    await server.kill()
    server = await startStandalone({ dataDir: folder.path })
    expect((await ask(server.url)).json.gateway_priority_map).toEqual(scores)
  }
  await server.stop()
}, 180_000)
