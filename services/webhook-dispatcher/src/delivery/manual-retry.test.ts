import { describe, expect, test } from '@jest/globals'
import { MANUAL_RETRIES_PER_MERCHANT_MAX, MANUAL_RETRIES_PER_SECOND_MAX, MANUAL_RETRIES_UNDER_WAY_MAX } from '../limits.ts'
import type { Answer, EventDetail } from '../operations.ts'
import { useDispatcher, valueOf } from '../running-dispatcher.fixture.ts'
import { ORIGIN, PLACE, until, wish } from '../sample-dispatcher.fixture.ts'

const { world, service, configure, accepted, sent, attempts, ended, retry } = useDispatcher()

describe('a manual retry', () => {
  test('is a new attempt with its result in the answer', async () => {
    world().endpoint.answers(500, 200)
    const id = await accepted()
    await ended(id)
    const detail = valueOf(await retry(id))
    expect(detail).toMatchObject({
      initialAttemptId: id,
      kind: 'manual_retry',
      isDelivered: true,
      response: { statusCode: 200, body: 'ok', errorMessage: null },
    })
    expect(detail.eventId).not.toBe(id)
    expect(JSON.parse(detail.request.body)).toMatchObject({ event_id: id, event_type: 'payment_succeeded' })
  })

  test('may name any attempt of the chain', async () => {
    const id = await accepted()
    await ended(id)
    const second = valueOf(await retry(id))
    const third = valueOf(await retry(second.eventId))
    expect(third.initialAttemptId).toBe(id)
    expect((await attempts(third.eventId)).map(({ eventId }) => eventId)).toEqual([third.eventId, second.eventId, id])
  })

  test('works after a success, and its failure does not undo it', async () => {
    world().endpoint.answers(200, 500)
    const id = await accepted()
    await ended(id)
    expect(valueOf(await retry(id))).toMatchObject({ isDelivered: true, response: { statusCode: 500 } })
  })

  test('two at once both execute', async () => {
    const id = await accepted()
    await ended(id)
    const answers = await Promise.all([retry(id), retry(id)])
    expect(new Set(answers.map((answer) => valueOf(answer).eventId)).size).toBe(2)
    expect(world().endpoint.got).toHaveLength(3)
  })

  test('a success cancels the retry that was due', async () => {
    world().endpoint.answers(500, 200)
    const id = await accepted()
    await ended(id)
    await retry(id)
    world().pass(600_000)
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(world().endpoint.got).toHaveLength(2)
  })

  test('a failure leaves the retry that is due', async () => {
    world().endpoint.answers(500, 500, 200)
    const id = await accepted()
    await ended(id)
    await retry(id)
    world().pass(60_000)
    await sent(3)
    expect((await attempts(id)).map(({ kind }) => kind)).toEqual(['automatic_retry', 'manual_retry', 'initial_attempt'])
  })

  test('under an Idempotency-Key gives the first result again for a day', async () => {
    world().endpoint.answers(200, 500, 200)
    const id = await accepted()
    await ended(id)
    const first = valueOf(await retry(id, 'again'))
    const both = await Promise.all([retry(id, 'again'), retry(id, 'again')])
    expect(both.map((answer) => valueOf(answer).eventId)).toEqual([first.eventId, first.eventId])
    expect(world().endpoint.got).toHaveLength(2)
    world().pass(86_400_001)
    expect(valueOf(await retry(id, 'again')).eventId).not.toBe(first.eventId)
  })

  test('two at once under one Idempotency-Key send once', async () => {
    const id = await accepted()
    await ended(id)
    const both = await Promise.all([retry(id, 'same'), retry(id, 'same')])
    expect(new Set(both.map((answer) => valueOf(answer).eventId)).size).toBe(1)
    expect(world().endpoint.got).toHaveLength(2)
  })

  test('repeated under its Idempotency-Key while it is under way was refused, as if another one had the key: it waits for the same result', async () => {
    const id = await accepted()
    await ended(id)
    world().endpoint.answers('hang')
    const first = retry(id, 'same')
    await sent(2)
    await until('its start is recorded', async () => ((await attempts(id)).length === 2 ? true : undefined))
    const again = retry(id, 'same')
    await attempts(id)
    world().endpoint.release(500)
    const detail = valueOf(await first)
    expect(detail.response.statusCode).toBe(500)
    expect(valueOf(await again)).toEqual(detail)
    expect(world().endpoint.got).toHaveLength(2)
  })

  test('that another process makes is refused under its Idempotency-Key while it is under way', async () => {
    const id = await accepted()
    await ended(id)
    world().endpoint.answers('hang')
    const first = retry(id, 'same')
    await sent(2)
    const other = await world().start()
    expect(await other.operations.retry({ merchantId: 'm1', eventId: id, idempotencyKey: 'same', origin: ORIGIN })).toEqual({
      ok: false,
      refusal: 'RETRY_UNDER_WAY',
    })
    world().endpoint.release(200)
    valueOf(await first)
    await other.end()
  })

  test('that came to two processes at the same time under one Idempotency-Key was made by both', async () => {
    const id = await accepted()
    await ended(id)
    const other = await world().start()
    const again = other.operations.retry({ merchantId: 'm1', eventId: id, idempotencyKey: 'same', origin: ORIGIN })
    const [made, ...repeated] = (await Promise.all([retry(id, 'same'), again])).toSorted((one, next) => Number(next.ok) - Number(one.ok))
    expect(made?.ok).toBe(true)
    // By then it may have come to its end.
    expect([
      { ok: false, refusal: 'RETRY_UNDER_WAY' },
      { ...made, position: undefined },
    ]).toContainEqual(repeated[0])
    expect(world().endpoint.got).toHaveLength(2)
    await other.end()
  })

  test('shows the attempt while it is under way, with four nulls', async () => {
    const id = await accepted()
    await ended(id)
    world().endpoint.answers('hang')
    const answer = retry(id)
    await sent(2)
    const [newest] = await attempts(id)
    expect(newest?.response).toEqual({ body: null, headers: null, statusCode: null, errorMessage: null })
    world().endpoint.release(204)
    expect(valueOf(await answer).response.statusCode).toBe(204)
  })

  test('without an endpoint is refused and writes nothing; with one it works', async () => {
    const id = await accepted({ profileId: 'other' })
    expect(await retry(id)).toEqual({ ok: false, refusal: 'ENDPOINT_MISSING' })
    const [only, ...rest] = await attempts(id)
    expect([only?.response.errorMessage, only?.isDelivered, rest]).toEqual(['no webhook endpoint', false, []])
    await service().operations.configureEndpoint({ ...PLACE, profileId: 'other', wish: wish() })
    expect(valueOf(await retry(id)).isDelivered).toBe(true)
  })

  test('of an endpoint that its merchant disabled is refused', async () => {
    const id = await accepted()
    await ended(id)
    await configure({ isEnabled: false })
    expect(await retry(id)).toEqual({ ok: false, refusal: 'ENDPOINT_DISABLED' })
    expect(await attempts(id)).toHaveLength(1)
  })

  test.each(['evt_unknown', '', 'x'.repeat(64)])('of an event that is not there: %j', async (eventId) => {
    expect(await retry(eventId)).toEqual({ ok: false, refusal: 'EVENT_NOT_FOUND' })
  })

  test('another merchant can not reach it', async () => {
    const id = await accepted()
    await world().append({ type: 'MerchantRegistered', data: { merchantId: 'm2', deciderInput: null, name: null, at: world().now() } })
    const answer = await service().operations.retry({ merchantId: 'm2', eventId: id, idempotencyKey: null, origin: ORIGIN })
    expect(answer).toEqual({ ok: false, refusal: 'EVENT_NOT_FOUND' })
  })

  test('more than ten a second are refused', async () => {
    const id = await accepted()
    await ended(id)
    const answers = await Promise.all(Array.from({ length: 30 }, () => retry(id)))
    const refusals = answers.flatMap((answer) => (answer.ok ? [] : [answer.refusal]))
    expect(refusals.length).toBeGreaterThanOrEqual(10)
    expect(new Set(refusals)).toEqual(new Set(['TOO_MANY_RETRIES']))
  })

  test('of one merchant leave places for those of others, however long its endpoint takes', async () => {
    const id = await accepted()
    await ended(id)
    await world().append({ type: 'MerchantRegistered', data: { merchantId: 'm2', deciderInput: null, name: null, at: world().now() } })
    await service().operations.configureEndpoint({ ...PLACE, merchantId: 'm2', wish: wish() })
    const other = await accepted({ merchantId: 'm2' })
    await sent(2)
    world().endpoint.answers('hang')
    const retries: Promise<Answer<EventDetail>>[] = []
    for (let second = 0; second * MANUAL_RETRIES_PER_SECOND_MAX < MANUAL_RETRIES_UNDER_WAY_MAX; second++) {
      world().pass(1_000 - (world().now() % 1_000))
      retries.push(...Array.from({ length: MANUAL_RETRIES_PER_SECOND_MAX }, () => retry(id)))
      await service().operations.retrieve({ merchantId: 'm1', eventId: id })
    }
    const mine = service().operations.retry({ merchantId: 'm2', eventId: other, idempotencyKey: null, origin: ORIGIN })
    const isSent = (): boolean => world().endpoint.got.some(({ endpointId }, index) => index > 1 && endpointId.includes('m2'))
    await until('the retry of the other', () => (isSent() ? true : undefined))
    world().endpoint.answers(200)
    world().endpoint.release(200)
    expect(valueOf(await mine).isDelivered).toBe(true)
    const refused = (await Promise.all(retries)).filter((answer) => !answer.ok)
    expect(retries.length - refused.length).toBe(MANUAL_RETRIES_PER_MERCHANT_MAX)
  })
})
