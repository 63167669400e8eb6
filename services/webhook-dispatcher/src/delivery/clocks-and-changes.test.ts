import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { type StoredBody, webhookBodies } from '@switchyard/webhooks'
import { createWorld, PLACE, type Running, submitted, until, type World, wish } from '../sample-dispatcher.fixture.ts'

let world: World
let service: Running
beforeEach(async () => {
  world = await createWorld()
  service = await world.start()
  await service.operations.configureEndpoint({ ...PLACE, wish: wish() })
})
afterEach(async () => {
  await service.end()
})

const sentIds = (): readonly (string | undefined)[] => world.endpoint.got.map(({ headers }) => Object.fromEntries(headers)['webhook-id'])

describe('an event', () => {
  test('that a clock ahead of this one accepted is sent when its time has come', async () => {
    const id = await submitted(service)
    await until('the delivery', () => (sentIds().includes(id) ? true : undefined))
    const stored = await until('the body', () => world.store.get<StoredBody>(webhookBodies.name, ['m1', id]))
    const body = Buffer.from(stored.body.body ?? [])
    const accepted = { merchantId: 'm1', chainId: 'evt_ahead', profileId: 'default', objectId: 'pay_ahead', dedupeKey: 'ahead' }
    const data = {
      ...accepted,
      eventType: 'payment_succeeded',
      processorMerchantId: null,
      body,
      isDeliverable: true,
      contentHash: '',
      at: world.now() + 2_000,
    }
    await world.append({ type: 'WebhookEventAccepted', data })
    await until('the delivery of the other', () => (sentIds().includes('evt_ahead') ? true : undefined))
    expect(sentIds()).toEqual([id, 'evt_ahead'])
  })
})
