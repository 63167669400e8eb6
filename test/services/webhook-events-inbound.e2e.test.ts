import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { nodeHmac } from '@switchyard/outbound'
import { createMerchant, eventually } from '../support/client.ts'
import { newSurroundings, type Surroundings, startService } from '../support/cluster.ts'
import { produce, readMessages } from '../support/kafka-messages.ts'
import { topicNameOf } from '../support/kafka-topics.ts'
import type { RunningProcess } from '../support/processes.ts'
import { describeWithServers } from '../support/real-servers.ts'
import { RECEIVERS_ALLOWED } from '../support/receivers/allowed.ts'
import { checkingSignatures } from '../support/receivers/behaviours.ts'
import { type Receiver, startReceiver } from '../support/receivers/receiver.ts'
import { serverAddresses } from '../support/server-addresses.ts'
import { WEBHOOK_SECRET, type WebhookMerchant, webhookMerchant } from '../support/webhook-client.ts'

const MERCHANT = 'm_inbound'
const BODY = { event_type: 'payment_succeeded', object_id: 'pay_1', content: { amount: 1250 } }

describeWithServers('events that others write into webhook-events-inbound', () => {
  const { behaviour, seen } = checkingSignatures(nodeHmac, WEBHOOK_SECRET, Date.now)
  let surroundings: Surroundings
  let commandApi: RunningProcess
  let dispatcher: RunningProcess
  let receiver: Receiver
  let merchant: WebhookMerchant
  let brokers: string

  const send = (value: string, { key = MERCHANT, idempotencyKey = '' } = {}): Promise<void> =>
    produce(brokers, topicNameOf(surroundings.topicPrefix, 'webhook-events-inbound'), [
      { key, value, ...(idempotencyKey !== '' && { headers: { 'idempotency-key': idempotencyKey } }) },
    ])

  beforeAll(async () => {
    surroundings = newSurroundings()
    brokers = serverAddresses().kafkaBrokers
    const env = { ...surroundings.env, ...RECEIVERS_ALLOWED }
    receiver = await startReceiver(behaviour)
    ;[commandApi, dispatcher] = await Promise.all([
      startService('command-api', surroundings).ready(),
      startService('webhook-dispatcher', { env }).ready(),
    ])
    merchant = webhookMerchant(dispatcher.url, await createMerchant(commandApi.url, MERCHANT))
    await merchant.configure(receiver.url)
  }, 120_000)
  afterAll(async () => {
    for (const service of [dispatcher, commandApi]) await service.end('SIGTERM')
    await receiver.stop()
    await surroundings.remove()
  }, 60_000)

  test('are signed, delivered and listed as those over HTTP; under one key they are one', async () => {
    await send(JSON.stringify(BODY), { idempotencyKey: 'order-7' })
    await send(JSON.stringify(BODY), { idempotencyKey: 'order-7' })
    await send(JSON.stringify({ ...BODY, object_id: 'pay_2' }))
    await receiver.received(2)
    expect(seen.faults).toEqual([])
    const listed = await eventually(
      'both events',
      () => merchant.ask(`POST /events/${MERCHANT}`, {}),
      ({ json }) => json.total_count === 2 && json.events.every((row: { is_delivery_successful: boolean }) => row.is_delivery_successful),
    )
    expect(listed.json.events.map((row: { object_id: string }) => row.object_id).toSorted()).toEqual(['pay_1', 'pay_2'])
  }, 60_000)

  test('that are bad are set aside with the reason and their key, and stop nothing', async () => {
    await send('{"event_type":')
    await send(JSON.stringify(BODY), { key: 'm_nobody' })
    await send(JSON.stringify({ ...BODY, content: { amount: 1 } }), { idempotencyKey: 'order-7' })
    await send(JSON.stringify({ ...BODY, object_id: 'pay_3' }))
    await receiver.received(3)
    const letters = await readMessages(brokers, topicNameOf(surroundings.topicPrefix, 'webhook-events-inbound-dead-letters'), 3)
    expect(letters.map(({ headers }) => headers['reason']).toSorted()).toEqual(['CONTENT_DIFFERS', 'INVALID_INPUT', 'MERCHANT_NOT_FOUND'])
    expect(letters.find(({ headers }) => headers['reason'] === 'CONTENT_DIFFERS')?.headers['idempotency-key']).toBe('order-7')
    expect(dispatcher.output()).toContain('events of webhook-events-inbound were set aside')
  }, 60_000)
})
