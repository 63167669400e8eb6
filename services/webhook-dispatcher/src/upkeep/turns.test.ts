import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { OperatingError } from '@switchyard/kernel'
import { type Recovery, RUNNING_INDEX, webhookRecoveries } from '@switchyard/webhooks'
import { createWorld, ORIGIN, PLACE, type Running, submitted, until, type World, wish } from '../sample-dispatcher.fixture.ts'

let world: World
let service: Running
let other: Running
beforeEach(async () => {
  world = await createWorld()
  service = await world.start()
  other = await world.start()
})
afterEach(async () => {
  jest.restoreAllMocks()
  await other.end()
  await service.end()
})

const REFUSED = { ok: false, refusal: 'RECOVERY_RUNNING' }

const prepare = async (eventCount: number): Promise<void> => {
  for (let index = 0; index < eventCount; index++) await submitted(service)
  await service.operations.configureEndpoint({ ...PLACE, wish: wish({ maxPerSecondCount: 50 }) })
  world.endpoint.answers(500)
}
const begin = ({ operations }: Running) =>
  operations.recover({
    merchantId: 'm1',
    sinceAt: 0,
    untilAt: world.now(),
    profileId: null,
    eventTypes: [],
    onlyUndelivered: true,
    origin: ORIGIN,
  })
const noneRuns = (): Promise<true> =>
  until('the end of all recoveries', async () => {
    const query = { collection: webhookRecoveries.name, index: RUNNING_INDEX, prefix: ['m1'], order: 'ascending', limit: 10 } as const
    return (await world.store.range<Recovery>(query)).length === 0 ? true : undefined
  })
const away = (code: 'LOG_UNAVAILABLE' | 'STORE_UNAVAILABLE'): OperatingError => new OperatingError(code, 'no server', { retryable: true })

test('a recovery that was refused was carried out by the next process when the log had not taken its end', async () => {
  await prepare(3)
  const { append } = world.log
  let endCount = 0
  jest.spyOn(world.log, 'append').mockImplementation(async (topic, records) => {
    const isEnd = records.some(({ headers }) => headers['type']?.endsWith('.RecoveryFinished'))
    if (isEnd && ++endCount === 1) throw away('LOG_UNAVAILABLE')
    return await append(topic, records)
  })
  const refusedThenGone = async (process: Running) => {
    const answer = await begin(process)
    if (!answer.ok) await process.end()
    return answer.ok
  }
  const [isFirst] = await Promise.all([refusedThenGone(service), refusedThenGone(other)])
  if (isFirst) other = await world.start()
  else service = await world.start()
  await noneRuns()
  expect(world.endpoint.got).toHaveLength(3)
})

test('a recovery that a starting process had refused and ended was told as begun, and nothing was sent', async () => {
  await prepare(1)
  const { range } = world.store
  let lookCount = 0
  jest.spyOn(world.store, 'range').mockImplementation(async (query) => {
    const found = await range(query)
    if (query.index !== RUNNING_INDEX || ++lookCount !== 2) return found
    const [taskId] = found.map(({ key }) => String(key[1]))
    await world.append({ type: 'RecoveryFinished', data: { merchantId: 'm1', taskId: String(taskId), at: world.now() } })
    throw away('STORE_UNAVAILABLE')
  })
  expect(await begin(service)).toEqual(REFUSED)
  expect(world.endpoint.got).toHaveLength(0)
})
