import { join } from 'node:path'
import { afterAll, expect, test } from '@jest/globals'
import { createEventCodec, publishedSchemaIds, type WebhooksEvent } from '@switchyard/events'
import { CONTENT_RETENTION_MS, FORGETTING_COLLECTIONS } from '@switchyard/webhooks'
import { switchyard } from '../support/operator.ts'
import { createWebhookProjector } from '../support/replay.ts'
import { temporaryFolder } from '../support/server.ts'
import { createDataFolder, openData } from './stored-payments.ts'

const folder = temporaryFolder()
const dataDir = join(folder.path, 'data')
afterAll(() => folder.remove())

const codec = createEventCodec(publishedSchemaIds(), { strict: true })

const accepted = (chainId: string, at: number): WebhooksEvent => ({
  type: 'WebhookEventAccepted',
  data: {
    merchantId: 'm_1',
    chainId,
    profileId: 'default',
    objectId: 'pay_1',
    eventType: 'payment_succeeded',
    processorMerchantId: null,
    body: Buffer.from([1]),
    isDeliverable: false,
    dedupeKey: chainId,
    contentHash: 'hash',
    at,
  },
})

/** Projects the topic as the dispatcher does, and forgets the documents of these chains. */
const projectAndForget = async (events: readonly WebhooksEvent[], forgotten: readonly string[]): Promise<void> => {
  const { log, store, close } = openData(dataDir)
  const records = events.map((event, index) => ({
    key: 'm_1',
    value: codec.encode(event),
    headers: { id: `e_${index}`, type: event.type },
  }))
  if (records.length > 0) await log.append('webhooks', records)
  const projector = createWebhookProjector({ log, store, now: Date.now })
  await projector.start()
  await projector.caughtUp()
  await projector.stop()
  for (const collection of FORGETTING_COLLECTIONS) {
    for (const chainId of forgotten) {
      const stored = await store.get(collection, ['m_1', chainId])
      if (stored === undefined) throw new Error(`${chainId} is not in ${collection}`)
      const position = { ...stored.position, offset: stored.position.offset + 1 }
      await store.write([{ collection, key: stored.key, position, body: null }])
    }
  }
  await close()
}

test('what retention has forgotten is no difference; what is missing before its time is one', async () => {
  await createDataFolder(dataDir, 0)
  const now = Date.now()
  await projectAndForget([accepted('evt_old', now - CONTENT_RETENTION_MS - 1_000), accepted('evt_new', now)], ['evt_old'])
  expect(await switchyard(dataDir, 'verify', 'webhooks')).toMatchObject({ code: 0, lines: [expect.stringMatching(/, 0 differ$/)] })
  await projectAndForget([], ['evt_new'])
  const { code, lines } = await switchyard(dataDir, 'verify', 'webhooks')
  expect(code).toBe(1)
  expect(lines.at(-1)).toMatch(/, 3 differ$/)
}, 60_000)
