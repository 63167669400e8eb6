import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { OperatingError } from '@switchyard/kernel'
import type { Timers } from '@switchyard/runtime'
import { createManualTimers } from '@switchyard/testing'
import { type Recovery, RUNNING_INDEX, webhookRecoveries } from '@switchyard/webhooks'
import { RECOVERY_LOOK_MS } from '../limits.ts'
import type { EndpointWish } from '../operations.ts'
import { createWorld, PLACE, type Running, recover, submitted, until, type World, wish } from '../sample-dispatcher.fixture.ts'

const REFUSED = { ok: false, refusal: 'RECOVERY_RUNNING' }

let world: World
let running: Running[]
const another = async (timers?: Timers): Promise<Running> => {
  const process = await world.start(undefined, timers)
  running.push(process)
  return process
}
beforeEach(async () => {
  running = []
  world = await createWorld()
})
afterEach(async () => {
  jest.restoreAllMocks()
  for (const process of running) await process.end()
})

/** A process with events that were not delivered, and an endpoint. */
const prepared = async (eventCount: number, change: Partial<EndpointWish> = { maxPerSecondCount: 50 }): Promise<Running> => {
  const process = await another()
  for (let index = 0; index < eventCount; index++) await submitted(process)
  await process.operations.configureEndpoint({ ...PLACE, wish: wish(change) })
  return process
}
const readBy = async ({ operations }: Running, taskId: string): Promise<Recovery> => {
  const answer = await operations.readRecovery({ merchantId: 'm1', taskId })
  if (!answer.ok) throw new Error(answer.refusal)
  return answer.value
}
const noneRuns = (): Promise<true> =>
  until('the end of all recoveries', async () => {
    const query = { collection: webhookRecoveries.name, index: RUNNING_INDEX, prefix: ['m1'], order: 'ascending', limit: 10 } as const
    return (await world.store.range<Recovery>(query)).length === 0 ? true : undefined
  })
const away = (code: 'LOG_UNAVAILABLE' | 'STORE_UNAVAILABLE'): OperatingError => new OperatingError(code, 'no server', { retryable: true })

test('a recovery that two processes began at once was carried out by both', async () => {
  const [one, other] = [await prepared(4), await another()]
  const answers = await Promise.all([recover(one), recover(other)])
  expect(answers.filter(({ ok }) => !ok)).toEqual([REFUSED])
  const [taskId = ''] = answers.flatMap((answer) => (answer.ok ? [answer.value.taskId] : []))
  await noneRuns()
  expect(await readBy(one, taskId)).toMatchObject({ attemptedCount: 4, deliveredCount: 4 })
  expect(world.endpoint.got).toHaveLength(4)
  for (const process of [one, other]) {
    expect(await recover(process)).toMatchObject({ ok: true, value: { matchedCount: 0 } })
    await noneRuns()
  }
})

test('a recovery whose process was killed was left alone until another one started, although one was there', async () => {
  const timers = createManualTimers()
  const [one] = [await prepared(3), await another(timers)]
  const wanted = { sinceAt: 0, untilAt: world.now(), profileId: null, eventTypes: [], onlyUndelivered: true }
  const begunElsewhere = { merchantId: 'm1', taskId: 'rec_left', ...wanted, matchedCount: 3, at: world.now() }
  await world.append({ type: 'RecoveryStarted', data: begunElsewhere })
  const found = await until('the end of the recovery', async () => {
    timers.advance(RECOVERY_LOOK_MS)
    const { status, ...counts } = await readBy(one, 'rec_left')
    return status === 'completed' ? counts : undefined
  })
  expect(found).toMatchObject({ attemptedCount: 3, deliveredCount: 3 })
  expect(world.endpoint.got).toHaveLength(3)
})

test('a recovery that is taken over from a process that was only slow sends nothing twice', async () => {
  const timers = createManualTimers()
  const [one] = [await prepared(4, { maxPerSecondCount: 1_000, maxConcurrencyCount: 1 }), await another(timers)]
  world.endpoint.answers('hang')
  const answer = await recover(one)
  if (!answer.ok) throw new Error(answer.refusal)
  await until('an attempt of the other process', () => {
    timers.advance(RECOVERY_LOOK_MS)
    return world.endpoint.got.length === 2 ? true : undefined
  })
  world.endpoint.answers(200)
  world.endpoint.release(200)
  const found = await until('the end of the recovery', async () => {
    timers.advance(RECOVERY_LOOK_MS)
    const { status, ...counts } = await readBy(one, answer.value.taskId)
    return status === 'completed' && counts.attemptedCount === 4 ? counts : undefined
  })
  expect(found).toMatchObject({ deliveredCount: 4 })
  expect(world.endpoint.got).toHaveLength(4)
})

test('a recovery that was refused was carried out by the next process when the log had not taken its end', async () => {
  const [one, other] = [await prepared(3), await another()]
  world.endpoint.answers(500)
  const { append } = world.log
  let endCount = 0
  jest.spyOn(world.log, 'append').mockImplementation(async (topic, records) => {
    const isEnd = records.some(({ headers }) => headers['type']?.endsWith('.RecoveryFinished'))
    if (isEnd && ++endCount === 1) throw away('LOG_UNAVAILABLE')
    return await append(topic, records)
  })
  const refusedThenGone = async (process: Running) => {
    if (!(await recover(process)).ok) await process.end()
  }
  await Promise.all([one, other].map(refusedThenGone))
  await another()
  await noneRuns()
  expect(world.endpoint.got).toHaveLength(3)
})

test('a recovery that a starting process had refused and ended was told as begun, and nothing was sent', async () => {
  const one = await prepared(1)
  const { range } = world.store
  let lookCount = 0
  jest.spyOn(world.store, 'range').mockImplementation(async (query) => {
    const found = await range(query)
    if (query.index !== RUNNING_INDEX || ++lookCount !== 2) return found
    const [taskId] = found.map(({ key }) => String(key[1]))
    await world.append({ type: 'RecoveryFinished', data: { merchantId: 'm1', taskId: String(taskId), at: world.now() } })
    throw away('STORE_UNAVAILABLE')
  })
  expect(await recover(one)).toEqual(REFUSED)
  expect(world.endpoint.got).toHaveLength(0)
})
