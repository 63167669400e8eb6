import { expect, test } from '@jest/globals'
import { useDispatcher, valueOf } from '../running-dispatcher.fixture.ts'
import { PLACE, until, wish } from '../sample-dispatcher.fixture.ts'

const { world, service, accepted, sent, ended, retry } = useDispatcher()

/** Fewer failures than open a circuit. */
const PER_ENDPOINT_COUNT = 9
const ENDPOINT_COUNT = 14
const EVENT_COUNT = PER_ENDPOINT_COUNT * ENDPOINT_COUNT

test('retries that waited for their turn were begun by a process that was stopping, and were cut off by its end', async () => {
  world().endpoint.answers(500)
  for (let number = 0; number < ENDPOINT_COUNT; number++) {
    const profileId = `p${number}`
    await service().operations.configureEndpoint({ ...PLACE, profileId, wish: wish({ maxConcurrencyCount: 64 }) })
    await Promise.all(Array.from({ length: PER_ENDPOINT_COUNT }, () => accepted({ profileId })))
  }
  await sent(EVENT_COUNT)
  world().pass(60_000)
  await until('the first retry', () => (world().endpoint.got.length > EVENT_COUNT ? true : undefined))
  await service().end()
  expect(world().endpoint.got.length).toBeLessThan(2 * EVENT_COUNT)
})

test('a retry by hand was not waited for at the end of its process: what it came to was not recorded', async () => {
  const id = await accepted()
  await ended(id)
  world().endpoint.answers('hang')
  const answer = retry(id)
  await sent(2)
  const ending = service().end()
  const next = await world().start()
  world().endpoint.release(204)
  await ending
  const { eventId } = valueOf(await answer)
  const after = valueOf(await next.operations.retrieve({ merchantId: 'm1', eventId }))
  await next.end()
  expect(after.response.statusCode).toBe(204)
})
