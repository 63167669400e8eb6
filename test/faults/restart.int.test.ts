import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createEventCodec, publishedSchemaIds } from '@switchyard/events'
import type { NewRecord } from '@switchyard/kernel'
import { createEmbeddedLog } from '@switchyard/log-embedded'
import { call, createMerchant, decisionRequest, type TestMerchant } from '../support/client.ts'
import { startStandalone, temporaryFolder } from '../support/server.ts'
import { decidedEvent, outcomeEvent } from './payment-events.ts'

/** Stored events that a restart must not be slowed by. */
const EVENT_COUNT = 200_000
/** Most of the restarts are ready again by then, milliseconds; one may meet whatever else the machine does. */
const READY_MAX_MS = 3_000
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

describe(`${EVENT_COUNT} stored events`, () => {
  test(`after kill -9 it is ready again in under ${READY_MAX_MS} ms, with the same scores`, async () => {
    let server = await startStandalone({ dataDir: folder.path })
    const scores = (await ask(server.url)).json.gateway_priority_map
    expect(scores.adyen).toBeLessThan(1)
    const taken: number[] = []
    for (let restart = 0; restart < RESTART_COUNT; restart++) {
      await server.kill()
      const killedAt = performance.now()
      server = await startStandalone({ dataDir: folder.path })
      taken.push(performance.now() - killedAt)
      expect((await ask(server.url)).json.gateway_priority_map).toEqual(scores)
    }
    await server.stop()
    expect(taken.toSorted((one, other) => one - other)[RESTART_COUNT >> 1]).toBeLessThan(READY_MAX_MS)
  }, 180_000)
})
