import { afterEach, beforeEach, expect, test } from '@jest/globals'
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

const attempted = (count: number): Promise<true> =>
  until(`${count} attempts`, () => (world.endpoint.got.length === count ? true : undefined))

/** As an incomplete copy leaves the folder of the keys: what is sealed next gets a new one. */
const restartWithoutKeys = async (): Promise<void> => {
  await service.end()
  await world.vault.destroy('m1', 1)
  service = await world.start()
}

test('what was sealed under a key that was lost ended the process, each time anew, as soon as its merchant had another one', async () => {
  world.endpoint.answers(500, 200)
  const before = await submitted(service)
  await attempted(1)
  await restartWithoutKeys()
  await submitted(service)
  await until('a word of it', () => world.reports.find((text) => text.includes('m1')))
  await service.operations.configureEndpoint({ ...PLACE, wish: wish() })
  await submitted(service)
  await attempted(2)
  world.pass(120_000)
  // The one before was not delivered, and what it was to tell is not known any more.
  await until('the end of both', () => (service.figures().exhaustedCount === 2 ? true : undefined))
  expect(await service.operations.retrieve({ merchantId: 'm1', eventId: before })).toMatchObject({
    ok: true,
    value: { isDelivered: false, request: { body: '' } },
  })
})
