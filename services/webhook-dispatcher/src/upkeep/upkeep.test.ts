import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import type { Recovery } from '@switchyard/webhooks'
import { webhookAttempts, webhookBodies } from '@switchyard/webhooks'
import { SCAN_PAGE_COUNT } from '../limits.ts'
import type { RecoveryWish } from '../operations.ts'
import { createWorld, ORIGIN, PLACE, type Running, recover, submitted, until, type World, wish } from '../sample-dispatcher.fixture.ts'

const DAY_MS = 86_400_000

let world: World
let service: Running
beforeEach(async () => {
  world = await createWorld()
  service = await world.start()
})
afterEach(async () => {
  await service.end()
})

const recovery = async (taskId: string): Promise<Recovery> => {
  const answer = await service.operations.readRecovery({ merchantId: 'm1', taskId })
  if (!answer.ok) throw new Error(answer.refusal)
  return answer.value
}
const completed = (taskId: string): Promise<Recovery> =>
  until('the end of the recovery', async () => {
    const found = await recovery(taskId)
    return found.status === 'completed' ? found : undefined
  })
const begin = (change: Partial<RecoveryWish> = {}) => recover(service, { untilAt: world.now(), ...change })
const begun = async (change?: Partial<RecoveryWish>): Promise<Recovery> => {
  const answer = await begin(change)
  if (!answer.ok) throw new Error(answer.refusal)
  return answer.value
}

describe('a recovery', () => {
  test('attempts what was not delivered, one recovery at a time, and counts', async () => {
    for (let index = 0; index < 5; index++) await submitted(service)
    await service.operations.configureEndpoint({ ...PLACE, wish: wish({ maxPerSecondCount: 10 }) })
    world.endpoint.answers(500, 200)
    const { taskId, matchedCount } = await begun()
    expect([matchedCount, await begin()]).toEqual([5, { ok: false, refusal: 'RECOVERY_RUNNING' }])
    expect(await completed(taskId)).toMatchObject({ attemptedCount: 5, deliveredCount: 4 })
    expect((await begun()).matchedCount).toBe(1)
  })

  test('is gone on with by the next process, without sending anything twice', async () => {
    for (let index = 0; index < 6; index++) await submitted(service)
    await service.operations.configureEndpoint({ ...PLACE, wish: wish({ maxPerSecondCount: 5 }) })
    const { taskId } = await begun()
    await until('the first attempts', () => (world.endpoint.got.length >= 2 ? true : undefined))
    await service.end()
    service = await world.start()
    expect(await completed(taskId)).toMatchObject({ attemptedCount: 6, deliveredCount: 6 })
    expect(world.endpoint.got).toHaveLength(6)
  })

  test('to an endpoint that takes one request at a time sent four', async () => {
    for (let index = 0; index < 3; index++) await submitted(service)
    await service.operations.configureEndpoint({ ...PLACE, wish: wish({ maxPerSecondCount: 1_000, maxConcurrencyCount: 1 }) })
    world.endpoint.answers('hang')
    const { taskId } = await begun()
    for (const sentCount of [1, 2, 3]) {
      await until('the next attempt', () => (world.endpoint.got.length === sentCount ? true : undefined))
      await new Promise((resolve) => setTimeout(resolve, 10))
      expect(world.endpoint.got).toHaveLength(sentCount)
      world.endpoint.release(200)
    }
    expect(await completed(taskId)).toMatchObject({ attemptedCount: 3, deliveredCount: 3 })
  })

  test('up to a time to come leaves alone what is accepted after it has begun', async () => {
    // More than a page: the next one is read while it runs.
    await Promise.all(Array.from({ length: SCAN_PAGE_COUNT }, () => submitted(service)))
    await service.operations.configureEndpoint({ ...PLACE, wish: wish({ maxPerSecondCount: 1_000 }) })
    world.endpoint.answers(500)
    const { taskId, matchedCount, untilAt } = await begun({ untilAt: world.now() + DAY_MS })
    expect([matchedCount, untilAt <= world.now()]).toEqual([SCAN_PAGE_COUNT, true])
    world.pass(1)
    await submitted(service)
    expect(await completed(taskId)).toMatchObject({ attemptedCount: matchedCount })
  })

  test('that another process brought to its end sends nothing any more', async () => {
    for (let index = 0; index < 4; index++) await submitted(service)
    await service.operations.configureEndpoint({ ...PLACE, wish: wish({ maxPerSecondCount: 4 }) })
    world.endpoint.answers(500)
    const { taskId } = await begun()
    await until('the first attempt', () => (world.endpoint.got.length === 1 ? true : undefined))
    await world.append({ type: 'RecoveryFinished', data: { merchantId: 'm1', taskId, at: world.now() } })
    await completed(taskId)
    const sentCount = world.endpoint.got.length
    expect(await completed((await begun()).taskId)).toMatchObject({ attemptedCount: 4 })
    expect(world.endpoint.got).toHaveLength(sentCount + 4)
  })

  test('waits while the log is away, and passes nothing by', async () => {
    for (let index = 0; index < 3; index++) await submitted(service)
    await service.operations.configureEndpoint({ ...PLACE, wish: wish({ maxPerSecondCount: 5 }) })
    const { taskId } = await begun()
    await until('the first attempt', async () => ((await recovery(taskId)).attemptedCount === 1 ? true : undefined))
    world.log.faults.failNextAppends(1)
    expect(await completed(taskId)).toMatchObject({ matchedCount: 3, attemptedCount: 3, deliveredCount: 3 })
  })

  test('that stands in the log although its beginning was told as failed is carried out', async () => {
    await submitted(service)
    await service.operations.configureEndpoint({ ...PLACE, wish: wish() })
    world.log.faults.loseNextAnswers(1)
    await expect(begin()).rejects.toMatchObject({ code: 'LOG_UNAVAILABLE' })
    await until('the attempt', () => (world.endpoint.got.length === 1 ? true : undefined))
    await until('the next one may begin', async () => ((await begin()).ok ? true : undefined))
  })

  test('of a merchant that comes back under its id has nothing of the earlier one, nor sees its recoveries', async () => {
    await submitted(service)
    const { taskId } = await begun()
    await completed(taskId)
    await world.append({ type: 'MerchantClosed', data: { merchantId: 'm1', at: world.now() } })
    world.pass(1)
    await world.append({ type: 'MerchantRegistered', data: { merchantId: 'm1', deciderInput: null, name: null, at: world.now() } })
    await submitted(service)
    const own = await begun()
    expect(own.matchedCount).toBe(1)
    expect(await service.operations.readRecovery({ merchantId: 'm1', taskId })).toEqual({ ok: false, refusal: 'RECOVERY_NOT_FOUND' })
  })

  test('of an earlier merchant of the id that is not at its end stood in the way of those of the next one', async () => {
    for (let index = 0; index < 3; index++) await submitted(service)
    await service.operations.configureEndpoint({ ...PLACE, wish: wish({ maxPerSecondCount: 1 }) })
    const { taskId } = await begun()
    await until('the first attempt', () => (world.endpoint.got.length === 1 ? true : undefined))
    await world.append({ type: 'MerchantClosed', data: { merchantId: 'm1', at: world.now() } })
    world.pass(1)
    await world.append({ type: 'MerchantRegistered', data: { merchantId: 'm1', deciderInput: null, name: null, at: world.now() } })
    await submitted(service)
    const own = await begun()
    expect([own.matchedCount, own.taskId === taskId]).toEqual([1, false])
  })

  test('of a profile that the merchant does not have was told as completed with nothing to send', async () => {
    await submitted(service, { profileId: 'eu' })
    expect(await begin({ profileId: 'ue' })).toEqual({ ok: false, refusal: 'PROFILE_NOT_FOUND' })
    expect(await begin({ profileId: 'eu' })).toMatchObject({ ok: true, value: { matchedCount: 1 } })
  })

  test('of nothing is over at once; another merchant does not see it', async () => {
    const { taskId } = await begun()
    expect(await completed(taskId)).toMatchObject({ matchedCount: 0, attemptedCount: 0 })
    expect(await service.operations.readRecovery({ merchantId: 'm2', taskId })).toEqual({ ok: false, refusal: 'RECOVERY_NOT_FOUND' })
  })
})

describe('retention', () => {
  test('forgets what was sent and answered after 90 days; the flag stays, and a retry says so', async () => {
    await service.operations.configureEndpoint({ ...PLACE, wish: wish() })
    const id = await submitted(service)
    await until('the delivery', () => (world.endpoint.got.length === 1 ? true : undefined))
    await service.end()
    world.pass(91 * DAY_MS)
    service = await world.start()
    await submitted(service)
    await service.end()
    service = await world.start()
    await until('it is forgotten', async () =>
      (await world.store.get(webhookBodies.name, ['m1', id])) === undefined &&
      (await world.store.get(webhookAttempts.name, ['m1', id])) === undefined
        ? true
        : undefined,
    )
    const answer = await service.operations.retrieve({ merchantId: 'm1', eventId: id })
    expect(answer).toMatchObject({
      ok: true,
      value: { isDelivered: true, request: { body: '', headers: [] }, response: { body: null, statusCode: 200 } },
    })
    const retried = await service.operations.retry({ merchantId: 'm1', eventId: id, idempotencyKey: null, origin: ORIGIN })
    expect(retried).toEqual({ ok: false, refusal: 'CONTENT_FORGOTTEN' })
  })
})
