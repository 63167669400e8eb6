import { expect, test } from '@jest/globals'
import { useDispatcher } from '../running-dispatcher.fixture.ts'
import { until } from '../sample-dispatcher.fixture.ts'

const { world, service, restart, configure, accepted, sent } = useDispatcher()

test('what was sealed under a key that was lost ended the process, each time anew, as soon as its merchant had another one', async () => {
  world().endpoint.answers(500, 200)
  const before = await accepted()
  await sent(1)
  // As an incomplete copy leaves the folder of the keys: what is sealed next gets a new one.
  await restart(() => world().vault.destroy('m1', 1))
  await accepted()
  await until('a word of it', () => world().reports.find((text) => text.includes('m1')))
  await configure()
  await accepted()
  await sent(2)
  world().pass(120_000)
  // The one before was not delivered, and what it was to tell is not known any more.
  await until('the end of both', () => (service().figures().exhaustedCount === 2 ? true : undefined))
  expect(await service().operations.retrieve({ merchantId: 'm1', eventId: before })).toMatchObject({
    ok: true,
    value: { isDelivered: false, request: { body: '' } },
  })
})
