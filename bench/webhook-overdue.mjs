import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createEventCodec, publishedSchemaIds } from '@switchyard/events'
import { createEmbeddedLog } from '@switchyard/log-embedded'
import { createFileKeyVault, createMerchantCipher } from '@switchyard/runtime'

const BATCH_COUNT = 1_000
const OVERDUE_MS = 60_000
const ACCEPTED_BEFORE_MS = 120_000

const codec = createEventCodec(publishedSchemaIds(), { strict: false })

const openCipher = (folder) => {
  const secrets = join(folder, 'secrets')
  return createMerchantCipher({
    vault: createFileKeyVault(join(secrets, 'merchant-keys')),
    secrets: [readFileSync(join(secrets, 'data-key-secret'), 'utf8').trim()],
    lifeOf: () => 1,
  })
}

const bodyOf = (merchantId, chainId, at) =>
  JSON.stringify({
    merchant_id: merchantId,
    event_id: chainId,
    event_type: 'payment_succeeded',
    content: { type: 'payment_details', object: { payment_id: 'overdue', status: 'succeeded', amount: 1250, currency: 'EUR' } },
    timestamp: new Date(at).toISOString(),
  })

const eventsOf = async (cipher, merchantId, now) => {
  const seal = (value) => cipher.seal(merchantId, Buffer.from(JSON.stringify(value)))
  const chainId = `evt_${randomUUID().replaceAll('-', '')}`
  const names = { merchantId, chainId, profileId: 'default' }
  const at = now - ACCEPTED_BEFORE_MS
  return [
    {
      type: 'WebhookEventAccepted',
      data: {
        ...names,
        objectId: 'overdue',
        eventType: 'payment_succeeded',
        processorMerchantId: null,
        body: await seal(bodyOf(merchantId, chainId, at)),
        isDeliverable: true,
        dedupeKey: chainId,
        contentHash: chainId,
        at,
      },
    },
    {
      type: 'DeliveryAttemptStarted',
      data: {
        ...names,
        eventId: chainId,
        claimId: chainId,
        kind: 'INITIAL',
        request: await seal({ url: 'http://127.0.0.1/hook', headers: [] }),
        deadlineAt: at + 15_000,
        idempotencyKey: null,
        taskId: null,
        at,
      },
    },
    {
      type: 'DeliveryAttemptFinished',
      data: {
        ...names,
        eventId: chainId,
        response: null,
        statusCode: null,
        errorMessage: 'connection_refused',
        durationMs: 1,
        nextRetryAt: now - OVERDUE_MS,
        taskId: null,
        at: at + 1,
      },
    },
  ]
}

/**
 * Writes events whose first attempt has failed, and whose retry is overdue, into the log of a server that is stopped: some for each
 * endpoint, with bodies encrypted under the merchants' own keys. Needs the compiled packages (`npx tsc -b`).
 *
 * @param {import('./webhook-overdue.mjs').OverdueTask} task
 */
export const writeOverdue = async ({ folder, endpoints, overdueCount }) => {
  const log = createEmbeddedLog({ folder: join(folder, 'log'), role: 'owner' })
  const cipher = openCipher(folder)
  const now = Date.now()
  let records = []
  const append = async () => {
    if (records.length > 0) await log.append('webhooks', records)
    records = []
  }
  for (let number = 0; number < overdueCount; number += 1) {
    const { merchantId } = endpoints[number % endpoints.length]
    for (const event of await eventsOf(cipher, merchantId, now))
      records.push({
        key: merchantId,
        value: codec.encode(event),
        headers: { id: randomUUID(), type: `switchyard.webhooks.${event.type}` },
      })
    if (records.length >= BATCH_COUNT) await append()
  }
  await append()
  await log.close()
}
