import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { createWorld, PLACE, type Running, submitted, until, type World, wish } from '../sample-dispatcher.fixture.ts'

let world: World
let service: Running
beforeEach(async () => {
  world = await createWorld()
  service = await world.start()
})
afterEach(async () => {
  await service.end()
})

const configure = (change: Parameters<typeof wish>[0], profileId = 'default') =>
  service.operations.configureEndpoint({ ...PLACE, profileId, wish: wish(change) })

test('endpoints are counted by their status, as it is now', async () => {
  await configure({})
  await configure({ isEnabled: false }, 'other')
  expect(service.figures().endpoints).toEqual({ active: 1, disabled_by_merchant: 1, disabled_by_failures: 0, disabled_gone: 0 })
  world.endpoint.answers(410)
  await submitted(service)
  await until('disabled', () => (service.figures().endpoints['disabled_gone'] === 1 ? true : undefined))
  await service.operations.removeEndpoint(PLACE)
  expect(service.figures().endpoints).toEqual({ active: 0, disabled_by_merchant: 1, disabled_by_failures: 0, disabled_gone: 0 })
})

test('an event whose retries have ended is counted as given up, once; one that is taken is not', async () => {
  await configure({ retryDelaysSeconds: [60] })
  world.endpoint.answers(500, 500, 200)
  await submitted(service)
  await until('the first failure', () => (world.endpoint.got.length === 1 ? true : undefined))
  expect(service.figures().exhaustedCount).toBe(0)
  world.pass(60_000)
  await until('the end of the schedule', () => (service.figures().exhaustedCount === 1 ? true : undefined))
  await submitted(service)
  await until('a success', () => (service.figures().attempts.some(({ outcome }) => outcome === '2xx') ? true : undefined))
  expect(service.figures().exhaustedCount).toBe(1)
})
