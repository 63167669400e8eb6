import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { EVENT_INBOX } from './inbound/read-submission.ts'
import { createWorld, PLACE, type Running, submission, type World, wish } from './sample-dispatcher.fixture.ts'

let world: World
let service: Running
/** Another process: it has no key at hand, and asks for it. */
let another: Running
beforeEach(async () => {
  world = await createWorld()
  service = await world.start()
  another = await world.start()
})
afterEach(async () => {
  await another.end()
  await service.end()
})

const { merchantId } = PLACE
const ADMIN = { actor: 'admin', requestId: 'r2' }
const configure = (url: string, origin = PLACE.origin) => service.operations.configureEndpoint({ ...PLACE, origin, wish: wish({ url }) })

/** Closes the merchant, and registers another one under its id. */
const registerAgain = async (): Promise<void> => {
  const data = { merchantId, at: world.now() }
  await world.append({ type: 'MerchantClosed', data }, { type: 'MerchantRegistered', data: { ...data, deciderInput: null, name: null } })
}

/** The one that has the id then configures an endpoint of its own. */
const beginAnew = async (): Promise<void> => {
  await registerAgain()
  expect(await configure('https://shop.example/new')).toMatchObject({ ok: true })
}

test.each([
  ['a key of it', PLACE.origin],
  ['the admin', ADMIN],
])(
  "an endpoint that %s configures while the merchant is closed and another one registers its id is not that one's",
  async (_name, origin) => {
    world.vault.meanwhile(beginAnew)
    expect(await configure('https://shop.example/old', origin)).toEqual({ ok: false, refusal: 'CONFLICT' })
    expect(await service.operations.readEndpoint(PLACE)).toMatchObject({ value: { endpoint: { url: 'https://shop.example/new' } } })
  },
)

test.each([
  ['a key of it', PLACE.origin],
  ['the admin', ADMIN],
])("a secret that %s rotates while the merchant is closed and another one registers its id is not that one's", async (_name, origin) => {
  await configure('https://shop.example/old')
  world.vault.meanwhile(beginAnew)
  expect(await another.operations.rotateSecret({ ...PLACE, origin, secret: null, graceMs: 0 })).toEqual({ ok: false, refusal: 'CONFLICT' })
  expect(await service.operations.readEndpoint(PLACE)).toMatchObject({
    value: { endpoint: { url: 'https://shop.example/new' }, generatedSecret: null },
  })
})

/** Does something where this process hears of the new merchant only as it looks. */
const whereBegunAnew = async <Answer>(act: () => Promise<Answer>): Promise<Answer> => {
  const { endPosition } = world.log
  jest.spyOn(world.log, 'endPosition').mockImplementationOnce(async (topic, key) => {
    await registerAgain()
    return await endPosition(topic, key)
  })
  return await act()
}

test('an endpoint that is configured where the new merchant of the id is not known yet is the admin’s alone to configure', async () => {
  expect(await whereBegunAnew(() => configure('https://shop.example/old'))).toEqual({ ok: false, refusal: 'CONFLICT' })
  expect(await whereBegunAnew(() => configure('https://shop.example/admin', ADMIN))).toMatchObject({
    value: { endpoint: { url: 'https://shop.example/admin' } },
  })
})

test('an event that a key of the earlier merchant sends is none of the new one; what the deployment sends is', async () => {
  const submit = (origin: typeof PLACE.origin) => whereBegunAnew(() => service.operations.submit(submission({ origin })))
  expect(await submit(PLACE.origin)).toEqual({ ok: false, refusal: 'MERCHANT_NOT_FOUND' })
  expect(await submit(ADMIN)).toMatchObject({ ok: true })
  expect(await submit({ actor: EVENT_INBOX, requestId: 'r3' })).toMatchObject({ ok: true })
})
