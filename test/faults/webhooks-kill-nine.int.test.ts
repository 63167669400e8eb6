import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { webhookProjections } from '@switchyard/composition'
import { createMerchant, eventually, type TestMerchant } from '../support/client.ts'
import { RECEIVERS_ALLOWED } from '../support/receivers/allowed.ts'
import { answering, silent } from '../support/receivers/behaviours.ts'
import { type Behaviour, type Receiver, startReceiver } from '../support/receivers/receiver.ts'
import { differingKeys, openLeftBehind, projectAnew } from '../support/replay.ts'
import { type RunningServer, startStandalone, temporaryFolder } from '../support/server.ts'
import { type WebhookMerchant, webhookMerchant } from '../support/webhook-client.ts'
import { seededRandom } from './seeded-random.ts'

const SEED = Number(process.env['FAULT_SEED'] ?? Date.now() % 1_000_000)
const KILL_COUNT = 6
const EVENTS_PER_ROUND = 30

let folder: ReturnType<typeof temporaryFolder>
let server: RunningServer
let owner: TestMerchant
let merchant: WebhookMerchant
let behaviour: Behaviour
let receiver: Receiver

const startAgain = async (): Promise<void> => {
  server = await startStandalone({ dataDir: folder.path, env: RECEIVERS_ALLOWED })
  merchant = webhookMerchant(server.url, owner)
}

beforeEach(async () => {
  folder = temporaryFolder()
  behaviour = answering(200)
  receiver = await startReceiver((request, response, index) => behaviour(request, response, index))
  server = await startStandalone({ dataDir: folder.path, env: RECEIVERS_ALLOWED })
  owner = await createMerchant(server.url)
  merchant = webhookMerchant(server.url, owner)
})
afterEach(async () => {
  await server.stop()
  await receiver.stop()
  await folder.remove()
})

const submitted = async (): Promise<string> => (await merchant.submit()).json.event_id
const delivered = (id: string): Promise<unknown> =>
  eventually(
    `the delivery of ${id}`,
    () => merchant.ask(`GET /events/${merchant.id}/${id}`),
    ({ json }) => json.is_delivery_successful === true,
  )
const idsReceived = (): readonly string[] => receiver.requests.map(({ headers }) => headers['webhook-id'] ?? '')

describe(`kill -9 in the middle of deliveries (FAULT_SEED=${SEED})`, () => {
  test('accepted, not begun: the initial attempt is made after the restart', async () => {
    const quick = { timeout_seconds: 1, retry_delays_seconds: [1, 1] }
    await merchant.configure(receiver.url, { ...quick, max_per_second: 1 })
    const ids = await Promise.all(Array.from({ length: 6 }, submitted))
    await server.kill()
    expect(receiver.requests.length).toBeLessThan(6)
    await startAgain()
    await merchant.configure(receiver.url, quick)
    for (const id of ids) await delivered(id)
    expect([...new Set(idsReceived())].toSorted()).toEqual(ids.toSorted())
  }, 60_000)

  test('begun and sent, not answered: the outcome is unknown, and the schedule goes on under the same id', async () => {
    behaviour = silent
    await merchant.configure(receiver.url, { timeout_seconds: 1, retry_delays_seconds: [1] })
    const id = await submitted()
    await receiver.received(1)
    await server.kill()
    behaviour = answering(200)
    await startAgain()
    const { json } = await merchant.finished(id, 2)
    expect(json).toMatchObject([
      { delivery_attempt: 'automatic_retry', is_delivery_successful: true, response: { status_code: 200 } },
      {
        delivery_attempt: 'initial_attempt',
        is_delivery_successful: true,
        response: { status_code: null, error_message: 'outcome unknown' },
      },
    ])
    expect(idsReceived()).toEqual([id, id])
  }, 60_000)

  test('answered, the answer not recorded: it is sent again under the same id, and delivered', async () => {
    let killed: Promise<void> | undefined
    behaviour = (_request, response) => {
      response.writeHead(200).end('ok', () => {
        killed ??= server.kill()
      })
    }
    await merchant.configure(receiver.url, { timeout_seconds: 1, retry_delays_seconds: [1] })
    const id = await submitted()
    await receiver.received(1)
    await killed
    await startAgain()
    await delivered(id)
    expect(new Set(idsReceived())).toEqual(new Set([id]))
    const { json } = await merchant.attempts(id)
    expect(json.length).toBe(receiver.requests.length)
  }, 60_000)

  test('a manual retry that was under way comes to an end, and changes no schedule', async () => {
    const id = await submitted()
    behaviour = silent
    await merchant.configure(receiver.url, { timeout_seconds: 1 })
    const answer = merchant.retry(id).catch(() => undefined)
    await receiver.received(1)
    await server.kill()
    await answer
    await startAgain()
    const { json } = await merchant.finished(id, 2)
    expect(json).toMatchObject([
      { delivery_attempt: 'manual_retry', is_delivery_successful: false, response: { error_message: 'outcome unknown' } },
      { response: { error_message: 'no webhook endpoint' } },
    ])
  }, 60_000)

  test(`killed ${KILL_COUNT} times under load, every accepted event arrives, and the read models equal a replay`, async () => {
    const random = seededRandom(SEED)
    await merchant.configure(receiver.url, { timeout_seconds: 1, retry_delays_seconds: [1, 1, 1, 1, 1, 1, 1, 1] })
    const accepted: string[] = []
    for (let kill = 0; kill < KILL_COUNT; kill++) {
      const round = Array.from({ length: EVENTS_PER_ROUND }, () =>
        submitted().then(
          (id) => void accepted.push(id),
          () => {},
        ),
      )
      await receiver.received(receiver.requests.length + 1 + Math.floor(random() * 15))
      await server.kill()
      await Promise.all(round)
      await startAgain()
    }
    for (const id of accepted) await delivered(id)
    const arrived = new Set(idsReceived())
    expect(accepted.filter((id) => !arrived.has(id))).toEqual([])
    await server.stop()
    const left = openLeftBehind(folder.path)
    const anew = await projectAnew(left.log)
    for (const { name } of webhookProjections)
      expect([name, await differingKeys(left.store, anew.store, name)]).toEqual([name, expect.objectContaining({ differing: [] })])
    await left.close()
    await startAgain()
  }, 180_000)
})
