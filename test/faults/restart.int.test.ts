import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createEventCodec, publishedSchemaIds } from '@switchyard/events'
import type { NewRecord } from '@switchyard/kernel'
import { createEmbeddedLog } from '@switchyard/log-embedded'
import { call, createMerchant, decisionRequest, type TestMerchant } from '../support/client.ts'
import { type RunningServer, startStandalone, temporaryFolder } from '../support/server.ts'
import { decidedEvent, outcomeEvent } from './payment-events.ts'

/** Stored events that a restart must not be slowed by. */
const EVENT_COUNT = 200_000
/**
 * The quickest restart takes at most so many times the quickest start with nothing stored. How long that is depends on the machine:
 * the bench `start` measures it.
 */
const SLOWER_MAX = 3
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

/** Milliseconds until a server that starts is ready. */
const measured = async (dataDir: string): Promise<{ readonly server: RunningServer; readonly readyAfterMs: number }> => {
  const startedAt = performance.now()
  const server = await startStandalone({ dataDir })
  return { server, readyAfterMs: performance.now() - startedAt }
}

/** With nothing stored, the quickest of as many starts. */
const emptyStartMs = async (): Promise<number> => {
  const taken: number[] = []
  for (let start = 0; start < RESTART_COUNT; start++) {
    const empty = temporaryFolder()
    const { server, readyAfterMs } = await measured(empty.path)
    taken.push(readyAfterMs)
    await server.stop()
    await empty.remove()
  }
  return Math.min(...taken)
}

describe(`${EVENT_COUNT} stored events`, () => {
  test(`after kill -9 it is ready within ${SLOWER_MAX} times an empty start, with the same scores`, async () => {
    let server = await startStandalone({ dataDir: folder.path })
    const scores = (await ask(server.url)).json.gateway_priority_map
    expect(scores.adyen).toBeLessThan(1)
    const taken: number[] = []
    for (let restart = 0; restart < RESTART_COUNT; restart++) {
      await server.kill()
      const again = await measured(folder.path)
      server = again.server
      taken.push(again.readyAfterMs)
      expect((await ask(server.url)).json.gateway_priority_map).toEqual(scores)
    }
    await server.stop()
    expect(Math.min(...taken) / (await emptyStartMs())).toBeLessThan(SLOWER_MAX)
  }, 180_000)
})
