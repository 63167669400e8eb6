import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { createEventCodec, publishedSchemaIds } from '@switchyard/events'
import { type StoredAttempt, webhookAttempts } from '@switchyard/webhooks'
import type { EventDetail } from '../operations.ts'
import { createWorld, ORIGIN, PLACE, type Running, submitted, until, type World, wish } from '../sample-dispatcher.fixture.ts'

const DAY_MS = 86_400_000

let world: World
let service: Running
let waiting: string
/** The event waits for its initial attempt behind another one, whose endpoint takes its time. */
beforeEach(async () => {
  world = await createWorld()
  service = await world.start()
  await service.operations.configureEndpoint({ ...PLACE, wish: wish({ maxConcurrencyCount: 1 }) })
  world.endpoint.answers('hang', 200)
  await submitted(service)
  await until('the other one hangs', () => (world.endpoint.got.length === 1 ? true : undefined))
  waiting = await submitted(service)
})
afterEach(async () => {
  world.endpoint.release(200)
  await service.end()
})

const attempts = async (): Promise<readonly EventDetail[]> => {
  const answer = await service.operations.attempts({ merchantId: 'm1', eventId: waiting, limit: 100, offset: 0 })
  if (!answer.ok) throw new Error(answer.refusal)
  return answer.value
}
const retry = () => service.operations.retry({ merchantId: 'm1', eventId: waiting, idempotencyKey: null, origin: ORIGIN })
const told = ({ kind, isDelivered, response: { statusCode, errorMessage } }: EventDetail) => [kind, isDelivered, statusCode, errorMessage]

describe('the initial attempt of an event that was sent by hand before its turn', () => {
  test('is not shown as under way for ever when the event was taken', async () => {
    expect((await attempts()).map(told)).toEqual([['initial_attempt', null, null, null]])
    expect(await retry()).toMatchObject({ ok: true, value: { isDelivered: true } })
    const never = ['initial_attempt', true, null, 'not sent: a manual retry was taken before its turn']
    expect((await attempts()).map(told)).toEqual([['manual_retry', true, 200, null], never])
    const initial = await service.operations.retrieve({ merchantId: 'm1', eventId: waiting })
    expect(initial.ok && told(initial.value)).toEqual(never)
    world.endpoint.release(200)
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(world.endpoint.got).toHaveLength(2)
    expect((await attempts()).map(told)[1]).toEqual(never)
  })

  test('shows no request of a replica that was about to make it, and came too late', async () => {
    const byHand = await retry()
    const eventId = byHand.ok ? byHand.value.eventId : ''
    const stored = await until('the request by hand', () => world.store.get<StoredAttempt>(webhookAttempts.name, ['m1', eventId]))
    const place = { merchantId: 'm1', chainId: waiting, profileId: 'default', eventId: waiting }
    const request = Buffer.from(stored.body.request ?? [])
    const asked = { claimId: 'late', kind: 'INITIAL', request, idempotencyKey: null, taskId: null } as const
    const claim = {
      type: 'DeliveryAttemptStarted',
      data: { ...place, ...asked, deadlineAt: world.now() + 15_000, at: world.now() },
    } as const
    const value = createEventCodec(publishedSchemaIds(), { strict: true }).encode(claim)
    await world.log.append('webhooks', [{ key: 'm1', value, headers: { id: 'late', type: claim.type, expectedVersion: 1 } }])
    const [, initial] = await attempts()
    expect([initial?.response.errorMessage, initial?.request.headers]).toEqual(['not sent: a manual retry was taken before its turn', []])
  })

  test('is to come when the event was not taken, and stays the oldest of the attempts', async () => {
    world.endpoint.answers(500)
    expect(await retry()).toMatchObject({ ok: true, value: { isDelivered: false } })
    expect((await attempts()).map(told)).toEqual([
      ['manual_retry', false, 500, 'the endpoint answered 500'],
      ['initial_attempt', false, null, null],
    ])
    world.endpoint.answers(200)
    world.endpoint.release(200)
    await until('the initial attempt', () => (world.endpoint.got.length === 3 ? true : undefined))
    const all = await until('its end', async () => {
      const now = await attempts()
      return now[0]?.isDelivered === true ? now : undefined
    })
    expect(all.map(told)).toEqual([
      ['manual_retry', true, 500, 'the endpoint answered 500'],
      ['initial_attempt', true, 200, null],
    ])
    expect(all.map(({ createdAt }) => createdAt)).toEqual(all.map(({ createdAt }) => createdAt).toSorted((a, b) => b - a))
  })
})

test('an event that was given up before its first attempt is not shown as to come for ever', async () => {
  await service.operations.configureEndpoint({ ...PLACE, wish: wish({ isEnabled: false }) })
  world.endpoint.release(200)
  world.pass(2 * DAY_MS)
  await service.operations.configureEndpoint({ ...PLACE, wish: wish() })
  const [initial] = await until('its end', async () => {
    const now = await attempts()
    return now[0]?.response.errorMessage === null ? undefined : now
  })
  expect(initial && told(initial)).toEqual(['initial_attempt', false, null, 'not sent: given up before its turn'])
  expect(world.endpoint.got).toHaveLength(1)
})
