import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { nodeHmac } from '@switchyard/outbound'
import { bodySignatureFault, standardSignatureFault } from '@switchyard/webhooks'
import type { EventDetail } from '../operations.ts'
import { createWorld, ORIGIN, PLACE, type Running, submitted, until, type World, wish } from '../sample-dispatcher.fixture.ts'

const DAY_MS = 86_400_000
const SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='
/** Delays of the 16 automatic retries, seconds (webhooks.md 6). */
const DELAYS = [60, 300, 300, 600, 600, 600, 600, 600, 3600, 3600, 3600, 3600, 3600, 21_600, 21_600, 21_600]

let world: World
let service: Running
beforeEach(async () => {
  world = await createWorld()
  service = await world.start()
  await service.operations.configureEndpoint({ ...PLACE, wish: wish({ secret: SECRET }) })
})
afterEach(async () => {
  await service.end()
})

const attempts = async (eventId: string): Promise<readonly EventDetail[]> => {
  const answer = await service.operations.attempts({ merchantId: 'm1', eventId, limit: 100, offset: 0 })
  if (!answer.ok) throw new Error(answer.refusal)
  return answer.value.toReversed()
}
const finished = (eventId: string, count: number): Promise<readonly EventDetail[]> =>
  until(`${count} finished attempts`, async () => {
    const all = (await attempts(eventId)).filter(({ response }) => response.errorMessage !== null || response.statusCode !== null)
    return all.length >= count ? all : undefined
  })
const configure = (change: Parameters<typeof wish>[0]) => service.operations.configureEndpoint({ ...PLACE, wish: wish(change) })
const endpoint = async () => {
  const answer = await service.operations.readEndpoint(PLACE)
  if (!answer.ok) throw new Error(answer.refusal)
  return answer.value
}

describe('automatic retries', () => {
  test('16 in a day and a minute, then no more: 17 attempts, bodies identical, each signed anew in both schemes', async () => {
    world.endpoint.answers(500)
    const id = await submitted(service)
    for (const [index, delay] of DELAYS.entries()) {
      await finished(id, index + 1)
      world.pass(delay * 1_100)
    }
    const all = await finished(id, 17)
    expect(all.map(({ kind }) => kind)).toEqual(['initial_attempt', ...DELAYS.map(() => 'automatic_retry')])
    expect(all[0]?.eventId).toBe(id)
    expect(new Set(all.map(({ eventId }) => eventId)).size).toBe(17)
    expect(new Set(all.map(({ initialAttemptId }) => initialAttemptId))).toEqual(new Set([id]))
    expect(all.every(({ isDelivered }) => isDelivered === false)).toBe(true)
    const { got } = world.endpoint
    expect(got).toHaveLength(17)
    expect(new Set(got.map(({ body }) => Buffer.from(body).toString())).size).toBe(1)
    for (const { headers: pairs, body } of got) {
      const headers = Object.fromEntries(pairs)
      const received = { headers, body }
      expect(headers['webhook-id']).toBe(id)
      expect(bodySignatureFault(nodeHmac, SECRET, received)).toBeUndefined()
      expect(standardSignatureFault(nodeHmac, SECRET, received, Number(headers['webhook-timestamp']) * 1_000)).toBeUndefined()
    }
    expect(new Set(got.map(({ headers }) => Object.fromEntries(headers)['webhook-timestamp'])).size).toBe(17)
    world.pass(DAY_MS)
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(got).toHaveLength(17)
  })

  test('a success ends them and sets the flag of every attempt', async () => {
    world.endpoint.answers(500, 'connection_refused', 200)
    const id = await submitted(service)
    await finished(id, 1)
    world.pass(60_000)
    await finished(id, 2)
    world.pass(330_000)
    const all = await finished(id, 3)
    expect(all.map(({ isDelivered }) => isDelivered)).toEqual([true, true, true])
    expect(all.map(({ response }) => [response.statusCode, response.errorMessage])).toEqual([
      [500, 'the endpoint answered 500'],
      [null, 'connection_refused'],
      [200, null],
    ])
  })

  test.each([
    [301, 'redirects are not followed'],
    [404, 'the endpoint answered 404'],
    ['dns_error', 'dns_error'],
    ['tls_error', 'tls_error'],
    ['connection_reset', 'connection_reset'],
    ['network_unreachable', 'network_unreachable'],
    ['timeout', 'timeout'],
  ] as const)('%s is a failure and is retried', async (answer, message) => {
    world.endpoint.answers(answer, 200)
    const id = await submitted(service)
    await finished(id, 1)
    world.pass(60_000)
    const all = await finished(id, 2)
    expect(all[0]?.response).toMatchObject({ errorMessage: message, statusCode: typeof answer === 'number' ? answer : null })
    expect(all[1]?.isDelivered).toBe(true)
  })

  test("a schedule of the endpoint's own, of one step", async () => {
    await configure({ retryDelaysSeconds: [5] })
    world.endpoint.answers(500)
    const id = await submitted(service)
    await finished(id, 1)
    world.pass(5_000)
    await finished(id, 2)
    world.pass(DAY_MS)
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(world.endpoint.got).toHaveLength(2)
  })

  test('Retry-After with 503 stretches the delay to at most twice its length', async () => {
    world.endpoint.answers(503, 200)
    world.endpoint.headers(['Retry-After', '900'])
    const id = await submitted(service)
    await finished(id, 1)
    world.pass(100_000)
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(world.endpoint.got).toHaveLength(1)
    world.pass(20_000)
    await finished(id, 2)
  })

  test('a restart in the middle keeps the due times', async () => {
    world.endpoint.answers(500, 200)
    const id = await submitted(service)
    await finished(id, 1)
    await service.end()
    service = await world.start()
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(world.endpoint.got).toHaveLength(1)
    world.pass(60_000)
    await finished(id, 2)
  })

  test('what fell due while nobody was there goes out at once, once', async () => {
    world.endpoint.answers(500, 200)
    const id = await submitted(service)
    await finished(id, 1)
    await service.end()
    world.pass(10 * 3_600_000)
    service = await world.start()
    await finished(id, 2)
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(world.endpoint.got).toHaveLength(2)
  })

  test('secrets are those of the moment: the headers change, the body does not', async () => {
    world.endpoint.answers(500, 200)
    const id = await submitted(service)
    await finished(id, 1)
    const rotated = await service.operations.rotateSecret({ ...PLACE, secret: null, graceMs: 3_600_000 })
    world.pass(60_000)
    await finished(id, 2)
    const [first, second] = world.endpoint.got
    if (first === undefined || second === undefined || !rotated.ok) throw new Error('two attempts and a rotation')
    const headers = Object.fromEntries(second.headers)
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(2)
    expect(headers['x-webhook-signature-512-previous']).toBe(Object.fromEntries(first.headers)['x-webhook-signature-512'])
    expect(bodySignatureFault(nodeHmac, rotated.value.secret, { headers, body: second.body })).toBeUndefined()
    expect(second.body).toEqual(first.body)
  })
})

describe('endpoints that do not take events', () => {
  test('410 disables the endpoint, enabling it by PUT takes the schedule up again', async () => {
    world.endpoint.answers(410, 200)
    const id = await submitted(service)
    await until('disabled', async () => ((await endpoint()).endpoint.status === 'disabled_gone' ? true : undefined))
    world.pass(60_000)
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(world.endpoint.got).toHaveLength(1)
    await configure({})
    const all = await finished(id, 2)
    expect(all[1]?.isDelivered).toBe(true)
    expect((await endpoint()).endpoint).toMatchObject({ status: 'active', disabledAt: null })
  })

  test('a schedule that ran out while the endpoint was disabled is not taken up', async () => {
    world.endpoint.answers(500)
    const id = await submitted(service)
    await finished(id, 1)
    await configure({ isEnabled: false })
    world.pass(2 * DAY_MS)
    await configure({})
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(world.endpoint.got).toHaveLength(1)
    expect(await attempts(id)).toHaveLength(1)
  })

  test('five days and twenty failures without a success disable it; the state tells since when', async () => {
    await configure({ retryDelaysSeconds: [DAY_MS / 1_000] })
    world.endpoint.answers(500)
    const [failure] = await finished(await submitted(service), 1)
    expect((await endpoint()).firstFailureAt).toBeGreaterThanOrEqual(failure?.createdAt ?? 0)
    for (let quarters = 1; quarters < 20; quarters++) {
      world.pass(DAY_MS / 4)
      await finished(await submitted(service), 1)
      expect((await endpoint()).endpoint.status).toBe('active')
    }
    world.pass(DAY_MS / 4)
    // Whichever fails next disables it: this event, which may then never be attempted, or a retry of an earlier one.
    await submitted(service)
    await until('disabled', async () => ((await endpoint()).endpoint.status === 'disabled_by_failures' ? true : undefined))
    expect((await endpoint()).endpoint.disabledAt).not.toBeNull()
    expect(world.reports.some((text) => text.includes('disabled (FAILURES)'))).toBe(true)
  })

  test('one success begins the count anew', async () => {
    world.endpoint.answers(500, 200)
    await finished(await submitted(service), 1)
    await finished(await submitted(service), 1)
    expect((await endpoint()).firstFailureAt).toBeNull()
  })

  test('a success by hand brings an endpoint back that the system had disabled', async () => {
    world.endpoint.answers(410, 200)
    const id = await submitted(service)
    await until('disabled', async () => ((await endpoint()).endpoint.status === 'disabled_gone' ? true : undefined))
    const retried = await service.operations.retry({ merchantId: 'm1', eventId: id, idempotencyKey: null, origin: ORIGIN })
    expect(retried).toMatchObject({ ok: true, value: { isDelivered: true } })
    expect((await endpoint()).endpoint.status).toBe('active')
  })
})

describe('turns', () => {
  test('an endpoint that hangs does not hold up another one', async () => {
    await service.operations.configureEndpoint({
      ...PLACE,
      profileId: 'slow',
      wish: wish({ url: 'https://slow.example/', maxConcurrencyCount: 2 }),
    })
    world.endpoint.answers('hang')
    for (let index = 0; index < 20; index++) await submitted(service, { profileId: 'slow' })
    await until('two hang', () => (world.endpoint.got.length === 2 ? true : undefined))
    world.endpoint.answers(200)
    const id = await submitted(service)
    expect((await finished(id, 1))[0]?.isDelivered).toBe(true)
    world.endpoint.release(200)
    await until('all are delivered', () => (world.endpoint.got.length === 21 ? true : undefined))
  })

  test('more events than an endpoint may have waiting all arrive, each once', async () => {
    await configure({ maxConcurrencyCount: 1 })
    const ids = await Promise.all(Array.from({ length: 400 }, () => submitted(service)))
    await until('all arrived', () => (world.endpoint.got.length >= 400 ? true : undefined))
    const arrived = world.endpoint.got.map(({ headers }) => Object.fromEntries(headers)['webhook-id'])
    expect(arrived.toSorted()).toEqual(ids.toSorted())
  })
})
