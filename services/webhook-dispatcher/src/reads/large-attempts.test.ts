import { expect, test } from '@jest/globals'
import { ATTEMPTS_BYTES_MAX } from '../limits.ts'
import type { EventDetail } from '../operations.ts'
import { useDispatcher, valueOf } from '../running-dispatcher.fixture.ts'

const CONTENT = JSON.stringify({ text: 'x'.repeat(250_000) })
const ATTEMPT_COUNT = 40

const { world, service, accepted, sent, retry } = useDispatcher()

test('the attempts of an event with a large body are answered within a bound: what does not fit is shown by its own id', async () => {
  const eventId = await accepted({ content: CONTENT })
  await sent(1)
  for (let count = 1; count < ATTEMPT_COUNT; count++) {
    valueOf(await retry(eventId))
    world().pass(1_000)
  }
  const page = async (limit: number, offset: number): Promise<readonly EventDetail[]> =>
    valueOf(await service().operations.attempts({ merchantId: 'm1', eventId, limit, offset }))
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
  expect(valueOf(await service().operations.retrieve({ merchantId: 'm1', eventId })).request.body).toContain(CONTENT)
})
