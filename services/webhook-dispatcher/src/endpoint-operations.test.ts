import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { PINGS_PER_MERCHANT_MAX, PINGS_UNDER_WAY_MAX } from './limits.ts'
import type { Answer, Exchanged } from './operations.ts'
import { createWorld, PLACE, type Running, until, type World, wish } from './sample-dispatcher.fixture.ts'

const MERCHANT_COUNT = Math.ceil(PINGS_UNDER_WAY_MAX / PINGS_PER_MERCHANT_MAX) + 1

let world: World
let service: Running
beforeEach(async () => {
  world = await createWorld()
  service = await world.start()
  for (let number = 1; number <= MERCHANT_COUNT; number++) {
    const merchantId = `m${number}`
    if (number > 1)
      await world.append({ type: 'MerchantRegistered', data: { merchantId, deciderInput: null, name: null, at: world.now() } })
    await service.operations.configureEndpoint({ ...PLACE, merchantId, wish: wish() })
  }
  world.endpoint.answers('hang')
})
afterEach(async () => {
  world.endpoint.release(200)
  await service.end()
})

const ping = (merchantId: string): Promise<Answer<Exchanged>> => service.operations.testEndpoint({ ...PLACE, merchantId })

/** Asks for so many pings, and gives why some were refused once that many have been. */
const refusedOf = async (merchantIds: readonly string[], refusedCount: number): Promise<readonly string[]> => {
  const refusals: string[] = []
  for (const merchantId of merchantIds) void ping(merchantId).then((answer) => answer.ok || refusals.push(answer.refusal))
  return await until('the refusals', () => (refusals.length >= refusedCount ? refusals : undefined))
}
const timesOf = (merchantId: string, count: number): readonly string[] => Array.from({ length: count }, () => merchantId)

describe('pings that hang', () => {
  test('of one merchant are bounded, and leave places for those of others', async () => {
    expect(await refusedOf(timesOf('m1', PINGS_PER_MERCHANT_MAX + 1), 1)).toEqual(['TOO_MANY_PINGS'])
    const other = ping('m2')
    await until('the ping of the other', () => (world.endpoint.got.length > PINGS_PER_MERCHANT_MAX ? true : undefined))
    world.endpoint.answers(200)
    world.endpoint.release(200)
    expect(await other).toMatchObject({ ok: true })
    expect(await ping('m1')).toMatchObject({ ok: true })
  })

  test('of all merchants are bounded', async () => {
    const all = Array.from({ length: MERCHANT_COUNT }, (_, index) => timesOf(`m${index + 1}`, PINGS_PER_MERCHANT_MAX)).flat()
    const refusals = await refusedOf(all, all.length - PINGS_UNDER_WAY_MAX)
    expect(new Set(refusals)).toEqual(new Set(['TOO_MANY_PINGS']))
    expect(world.endpoint.got).toHaveLength(PINGS_UNDER_WAY_MAX)
  })
})
