import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { domainCollections } from '@switchyard/composition'
import { createEventCodec, publishedSchemaIds } from '@switchyard/events'
import { assert, BEFORE_FIRST, type NewRecord, type Position } from '@switchyard/kernel'
import { createEmbeddedLog } from '@switchyard/log-embedded'
import { SNAPSHOT_LIMITS, SNAPSHOTS_COLLECTION } from '@switchyard/runtime'
import { createEmbeddedStore } from '@switchyard/store-embedded'
import { call, createMerchant, decisionRequest, eventually, type TestMerchant } from '../support/client.ts'
import { startStandalone, temporaryFolder } from '../support/server.ts'
import { decidedEvent, outcomeEvent } from './payment-events.ts'

/** Ten times what a snapshot leaves to be read again. How long a restart takes is measured by `npm run bench -- start`. */
const EVENT_COUNT = 200_000
const BATCH = 5_000
const RESTART_COUNT = 3
/** How long the projections of all of them may take on a busy machine, milliseconds. */
const SNAPSHOT_WAIT_MAX_MS = 150_000

const folder = temporaryFolder()
let merchant: TestMerchant
let last: Position
afterAll(() => folder.remove())

/** Half decisions, half outcomes, as the service writes them; where the last of them stands. */
const fillLog = async (): Promise<Position> => {
  const log = createEmbeddedLog({ folder: join(folder.path, 'log'), role: 'owner' })
  const codec = createEventCodec(publishedSchemaIds(), { strict: false })
  const startedAt = Date.now() - EVENT_COUNT
  let end: Position | undefined
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
    end = (await log.append('payments', records)).at(-1)
  }
  await log.close()
  assert(end !== undefined, 'there are events')
  return end
}

beforeAll(async () => {
  const first = await startStandalone({ dataDir: folder.path })
  merchant = await createMerchant(first.url)
  await first.stop()
  last = await fillLog()
}, 60_000)

const ask = (url: string) => call(url, 'POST /decide-gateway', { body: decisionRequest(merchant.id, 'probe'), headers: merchant.key })

/** How many of the stored events no snapshot holds: a start reads them from the log. */
const unheldCount = async (): Promise<number> => {
  const store = createEmbeddedStore({ folder: join(folder.path, 'store'), collections: domainCollections, role: 'reader' })
  const head = await store.get(SNAPSHOTS_COLLECTION, ['head', last.partition])
  await store.close()
  return last.offset - (head?.position.offset ?? BEFORE_FIRST)
}

test(`killed with -9 again and again, it starts behind a snapshot of ${EVENT_COUNT} stored events, with the same scores`, async () => {
  let server = await startStandalone({ dataDir: folder.path })
  const scores = (await ask(server.url)).json.gateway_priority_map
  expect(scores.adyen).toBeLessThan(1)
  const isHeld = (count: number): boolean => count < SNAPSHOT_LIMITS.eventCountMax
  await eventually('a snapshot of nearly all of them', unheldCount, isHeld, SNAPSHOT_WAIT_MAX_MS)
  for (let restart = 0; restart < RESTART_COUNT; restart++) {
    await server.kill()
    server = await startStandalone({ dataDir: folder.path })
    expect((await ask(server.url)).json.gateway_priority_map).toEqual(scores)
  }
  await server.stop()
}, 300_000)
