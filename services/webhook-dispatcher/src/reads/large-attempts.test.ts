import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { ATTEMPTS_BYTES_MAX } from '../limits.ts'
import type { EventDetail } from '../operations.ts'
import { createWorld, ORIGIN, PLACE, type Running, submitted, until, type World, wish } from '../sample-dispatcher.fixture.ts'

const CONTENT = JSON.stringify({ text: 'x'.repeat(250_000) })
const ATTEMPT_COUNT = 40

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

test('the attempts of an event with a large body are answered within a bound: what does not fit is shown by its own id', async () => {
  const eventId = await submitted(service, { content: CONTENT })
  await until('the initial attempt', () => world.endpoint.got[0])
  for (let count = 1; count < ATTEMPT_COUNT; count++) {
    const answer = await service.operations.retry({ merchantId: 'm1', eventId, idempotencyKey: null, origin: ORIGIN })
    expect(answer.ok).toBe(true)
    world.pass(1_000)
  }
  const page = async (limit: number, offset: number): Promise<readonly EventDetail[]> => {
    const answer = await service.operations.attempts({ merchantId: 'm1', eventId, limit, offset })
    if (!answer.ok) throw new Error(answer.refusal)
    return answer.value
  }
  const all = await page(100, 0)
  expect(all).toHaveLength(ATTEMPT_COUNT)
  expect(JSON.stringify(all).length).toBeLessThan(ATTEMPTS_BYTES_MAX + ATTEMPT_COUNT * 1_000)
  const whole = all.filter(({ request }) => request.body !== '')
  expect(whole.length).toBeGreaterThan(30)
  expect(all.slice(0, whole.length)).toEqual(whole)
  const last = all.at(-1)
  expect(last).toMatchObject({
    eventId,
    isDelivered: true,
    request: { body: '', headers: [] },
    response: { body: null, headers: null, statusCode: 200, errorMessage: null },
  })
  expect((await page(1, ATTEMPT_COUNT - 1))[0]?.request.body).toContain(CONTENT)
  const single = await service.operations.retrieve({ merchantId: 'm1', eventId })
  expect(single.ok && single.value.request.body).toContain(CONTENT)
})
