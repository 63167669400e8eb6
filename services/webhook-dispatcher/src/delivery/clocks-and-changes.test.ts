import { describe, expect, test } from '@jest/globals'
import type { NewRecord, Topic } from '@switchyard/kernel'
import { DISABLE_AFTER_FAILURES, DISABLE_AFTER_MS, type StoredBody, webhookBodies } from '@switchyard/webhooks'
import { useDispatcher } from '../running-dispatcher.fixture.ts'
import { PLACE, until, wish } from '../sample-dispatcher.fixture.ts'

const DAY_MS = 86_400_000

const { world, service, restart, configure, accepted, sent, sentIds, ended } = useDispatcher()

describe('an event', () => {
  test('that a clock ahead of this one accepted is sent when its time has come', async () => {
    const id = await accepted()
    await until('the delivery', () => (sentIds().includes(id) ? true : undefined))
    const stored = await until('the body', () => world().store.get<StoredBody>(webhookBodies.name, ['m1', id]))
    const body = Buffer.from(stored.body.body ?? [])
    const ahead = { merchantId: 'm1', chainId: 'evt_ahead', profileId: 'default', objectId: 'pay_ahead', dedupeKey: 'ahead' }
    const data = {
      ...ahead,
      eventType: 'payment_succeeded',
      processorMerchantId: null,
      body,
      isDeliverable: true,
      contentHash: '',
      at: world().now() + 2_000,
    }
    await world().append({ type: 'WebhookEventAccepted', data })
    await until('the delivery of the other', () => (sentIds().includes('evt_ahead') ? true : undefined))
    expect(sentIds()).toEqual([id, 'evt_ahead'])
  })

  test('of an endpoint that is left alone for a while does not wait for a clock that was set back', async () => {
    world().endpoint.answers(500)
    await Promise.all(Array.from({ length: 10 }, () => accepted()))
    await until('the circuit is open', () => (service().figures().openCircuitCount === 1 ? true : undefined))
    world().endpoint.answers(200)
    world().pass(-3_600_000)
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(service().figures().openCircuitCount).toBe(1)
    world().pass(31_000)
    const id = await accepted()
    await until('the delivery', () => (sentIds().includes(id) ? true : undefined))
    expect(service().figures().openCircuitCount).toBe(0)
  })

  test('was given up unsent until the time came at which a clock that was ahead had configured its endpoint', async () => {
    await service().operations.removeEndpoint(PLACE)
    world().pass(30 * DAY_MS)
    await configure()
    world().pass(-30 * DAY_MS)
    const id = await accepted()
    await until('the delivery', () => (sentIds().includes(id) ? true : undefined))
    expect(service().figures().exhaustedCount).toBe(0)
  })
})

test('an attempt whose start the log took slowly went on after the moment at which others give it up, and send it again', async () => {
  const { log } = world()
  const { append } = log
  const isStart = ({ headers: { type } }: NewRecord): boolean => type.includes('DeliveryAttemptStarted')
  Object.assign(log, {
    append: async (topic: Topic, records: readonly NewRecord[]) => {
      if (records.some(isStart)) await new Promise((resolve) => setTimeout(resolve, 200))
      return await append(topic, records)
    },
  })
  await accepted()
  await sent(1)
  const timeoutMs = world().endpoint.got[0]?.timeoutMs
  expect(timeoutMs).toBeGreaterThan(5_000)
  expect(timeoutMs).toBeLessThan(14_900)
})

test('an endpoint that is left alone stays so when another endpoint of its merchant is configured', async () => {
  // An endpoint without anything to do is soon forgotten.
  await new Promise((resolve) => setTimeout(resolve, 300))
  world().endpoint.answers(500)
  await Promise.all(Array.from({ length: 10 }, () => accepted()))
  await until('the circuit is open', () => (service().figures().openCircuitCount === 1 ? true : undefined))
  await service().operations.configureEndpoint({ ...PLACE, profileId: 'other', wish: wish() })
  expect(service().figures().openCircuitCount).toBe(1)
  await configure({ url: 'https://moved.example/' })
  expect(service().figures().openCircuitCount).toBe(0)
})

describe('an attempt at an endpoint that was configured anew meanwhile', () => {
  const statusAfter = async (change: () => Promise<unknown>): Promise<string> => {
    world().endpoint.answers('hang')
    const id = await accepted()
    await sent(1)
    await change()
    world().endpoint.answers(500)
    world().endpoint.release(410)
    expect((await ended(id)).response.statusCode).toBe(410)
    await restart()
    const answer = await service().operations.readEndpoint(PLACE)
    return answer.ok ? answer.value.endpoint.status : answer.refusal
  }

  test('does not disable the new address when the old one says that it is gone', async () => {
    expect(await statusAfter(() => configure({ url: 'https://moved.example/' }))).toBe('active')
  })

  test('does not disable it again when it was enabled since', async () => {
    expect(
      await statusAfter(async () => {
        await configure({ isEnabled: false })
        world().pass(1)
        await configure({})
      }),
    ).toBe('active')
  })

  test('disables it when only its other settings are new', async () => {
    expect(await statusAfter(() => configure({ timeoutSeconds: 5 }))).toBe('disabled_gone')
  })
})

describe('an endpoint that is removed and configured again', () => {
  const firstFailureAt = async (): Promise<number | null | undefined> => {
    const answer = await service().operations.readEndpoint(PLACE)
    return answer.ok ? answer.value.firstFailureAt : undefined
  }
  const configuredAgain = async (): Promise<void> => {
    world().endpoint.answers(500)
    await accepted()
    await until('the failure', async () => ((await firstFailureAt()) === null ? undefined : true))
    await service().operations.removeEndpoint(PLACE)
    world().pass(1)
    await configure({ url: 'https://other.example/' })
  }

  test('does not tell of failures from before it was there', async () => {
    await configuredAgain()
    expect(await firstFailureAt()).toBeNull()
  })

  test('told of no failure while it failed as the one before it had', async () => {
    await configuredAgain()
    const failingSince = world().now()
    expect((await ended(await accepted())).response.statusCode).toBe(500)
    expect(await firstFailureAt()).toBeGreaterThanOrEqual(failingSince)
  })

  test('is not disabled by a few failures because of those from before it was there', async () => {
    const attempt = { merchantId: 'm1', chainId: 'evt_old', profileId: 'default', eventId: 'evt_old', response: null, taskId: null }
    const outcome = { statusCode: 500, errorMessage: null, durationMs: 1, nextRetryAt: null, at: world().now() }
    for (let count = 0; count < DISABLE_AFTER_FAILURES; count++)
      await world().append({ type: 'DeliveryAttemptFinished', data: { ...attempt, ...outcome } })
    await service().operations.removeEndpoint(PLACE)
    world().pass(1_000)
    await configure({ url: 'https://other.example/' })
    world().pass(DISABLE_AFTER_MS)
    world().endpoint.answers(500)
    const id = await accepted()
    expect((await ended(id)).response.statusCode).toBe(500)
    await restart()
    expect(await service().operations.readEndpoint(PLACE)).toMatchObject({ value: { endpoint: { status: 'active' } } })
  })
})
