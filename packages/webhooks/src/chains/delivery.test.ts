import { describe, expect, test } from '@jest/globals'
import { specificationOf } from '@switchyard/testing'
import { ATTEMPTS_PER_CHAIN_MAX, RETRY_KEY_WINDOW_MS } from '../limits.ts'
import { DEFAULT_SCHEDULE } from '../schedule/schedule-text.ts'
import { absentChain, type ChainEvent, evolveChain, isDelivered } from './chain.ts'
import { delivery } from './delivery.ts'
import { accepted, chainId, finished, merchantId, profileId, started, T0 } from './sample-chain.fixture.ts'

const given = specificationOf({ ...delivery, initialState: absentChain(merchantId, chainId) })
const chainAfter = (...events: readonly ChainEvent[]) => events.reduce(evolveChain, absentChain(merchantId, chainId))
const place = { merchantId, chainId }
const start = (eventId: string, at: number) =>
  ({ type: 'StartScheduledAttempt', ...place, at, eventId, claimId: 'c', request: new Uint8Array(), deadlineAt: at + 15_000 }) as const
const retry = (eventId: string, at: number) =>
  ({ ...start(eventId, at), type: 'StartManualAttempt', idempotencyKey: null, taskId: null }) as const
const finish = (eventId: string, at: number, statusCode: number | null) =>
  ({
    type: 'FinishAttempt',
    ...place,
    at,
    eventId,
    statusCode,
    errorMessage: statusCode === 200 ? null : 'no',
    response: null,
    retryAfterAt: null,
    schedule: DEFAULT_SCHEDULE,
  }) as const

const failedInitially = [accepted(), started('e1', 'INITIAL', T0), finished('e1', T0 + 100, 500, T0 + 60_000)]

describe('an accepted event', () => {
  test('is due at once, its initial attempt carries the id of the chain', () => {
    expect(chainAfter(accepted())).toMatchObject({ status: 'PENDING', nextAt: T0, freshAt: T0, listedAt: T0 })
    given(accepted())
      .when(start(chainId, T0))
      .emits(started(chainId, 'INITIAL', T0))
  })
  test('without an active endpoint has failed already, and is not due', () => {
    const chain = chainAfter(accepted({ isDeliverable: false }))
    expect(chain).toMatchObject({ status: 'UNDELIVERABLE', attempts: [{ eventId: chainId, errorMessage: 'no webhook endpoint' }] })
    expect([chain.freshAt, chain.dueAt]).toEqual([undefined, undefined])
    expect(isDelivered(chain)).toBe(false)
  })
  test('has no flag before an attempt has finished', () => {
    expect(isDelivered(chainAfter(accepted(), started('e1', 'INITIAL', T0)))).toBeNull()
  })
})

describe('scheduled attempts', () => {
  test('two can not be under way', () => {
    given(accepted(), started('e1', 'INITIAL', T0))
      .when(start('e2', T0))
      .isRejectedWith({ code: 'NOTHING_DUE' })
  })
  test('none before its time', () => {
    given(...failedInitially)
      .when(start('e2', T0 + 59_999))
      .isRejectedWith({ code: 'NOTHING_DUE' })
    given(...failedInitially)
      .when(start('e2', T0 + 60_000))
      .emits(started('e2', 'AUTOMATIC', T0 + 60_000))
  })
  test('a failure schedules the next one, the first from the creation', () => {
    given(accepted(), started('e1', 'INITIAL', T0))
      .when(finish('e1', T0 + 100, 500))
      .emits(finished('e1', T0 + 100, 500, T0 + 60_000, 100))
  })
  test('a success ends the schedule', () => {
    given(accepted(), started('e1', 'INITIAL', T0))
      .when(finish('e1', T0 + 100, 200))
      .emits(finished('e1', T0 + 100, 200, null, 100))
    const chain = chainAfter(accepted(), started('e1', 'INITIAL', T0), finished('e1', T0 + 100, 200, null))
    expect(chain).toMatchObject({ status: 'DELIVERED', nextAt: null })
    expect(chain.dueAt).toBeUndefined()
  })
  test('the 16th retry is the last', () => {
    let chain = chainAfter(accepted())
    const kinds: string[] = []
    for (let at = T0; chain.status === 'PENDING' && kinds.length < 100; at = chain.nextAt ?? at) {
      const eventId = `e${kinds.length}`
      for (const command of [start(eventId, at), finish(eventId, at + 10, 503)]) {
        const decision = delivery.decide(command, chain)
        if (!decision.accepted) throw new Error(decision.rejection.code)
        chain = decision.events.reduce(evolveChain, chain)
      }
      kinds.push(chain.attempts.at(-1)?.kind ?? '')
    }
    expect(kinds).toEqual(['INITIAL', ...Array.from({ length: 16 }, () => 'AUTOMATIC')])
    expect(chain.status).toBe('EXHAUSTED')
    expect(isDelivered(chain)).toBe(false)
  })
  test('what was begun and never finished is due for recovery after its deadline, and goes on by the schedule', () => {
    const past = [accepted(), started('e1', 'INITIAL', T0)]
    expect(chainAfter(...past).dueAt).toBe(T0 + 20_000)
    given(...past)
      .when({ type: 'GiveUpUnfinished', ...place, at: T0 + 19_999, schedule: DEFAULT_SCHEDULE })
      .emitsNothing()
    given(...past)
      .when({ type: 'GiveUpUnfinished', ...place, at: T0 + 20_000, schedule: DEFAULT_SCHEDULE })
      .emits(finished('e1', T0 + 20_000, null, T0 + 60_000, 20_000, 'outcome unknown'))
  })
  test('the late result of an attempt that was given up changes nothing', () => {
    const past = [accepted(), started('e1', 'INITIAL', T0), finished('e1', T0 + 20_000, null, T0 + 60_000)]
    given(...past)
      .when(finish('e1', T0 + 20_001, 200))
      .isRejectedWith({ code: 'NOTHING_DUE' })
    expect(chainAfter(...past, finished('e1', T0 + 20_001, 200, null))).toEqual(chainAfter(...past))
  })
})

describe('manual attempts', () => {
  test('a success delivers the chain and cancels the pending retry', () => {
    const chain = chainAfter(...failedInitially, started('m1', 'MANUAL', T0 + 200), finished('m1', T0 + 300, 204, null))
    expect(chain).toMatchObject({ status: 'DELIVERED', nextAt: null })
    expect(chain.dueAt).toBeUndefined()
    expect(isDelivered(chain)).toBe(true)
  })
  test('a failure leaves the schedule as it is', () => {
    given(...failedInitially, started('m1', 'MANUAL', T0 + 200))
      .when(finish('m1', T0 + 300, 500))
      .emits(finished('m1', T0 + 300, 500, null, 100))
    const chain = chainAfter(...failedInitially, started('m1', 'MANUAL', T0 + 200), finished('m1', T0 + 300, 500, null))
    expect(chain).toMatchObject({ status: 'PENDING', nextAt: T0 + 60_000, dueAt: T0 + 60_000 })
  })
  test('two at once both execute, also beside a scheduled one', () => {
    const past = [accepted(), started('e1', 'INITIAL', T0)]
    given(...past)
      .when(retry('m1', T0 + 1))
      .emits(started('m1', 'MANUAL', T0 + 1))
    given(...past, started('m1', 'MANUAL', T0 + 1))
      .when(retry('m2', T0 + 2))
      .emits(started('m2', 'MANUAL', T0 + 2))
  })
  test('work after a success; a failure does not undo it', () => {
    const past = [accepted(), started('e1', 'INITIAL', T0), finished('e1', T0 + 100, 200, null)]
    given(...past)
      .when(retry('m1', T0 + 200))
      .emits(started('m1', 'MANUAL', T0 + 200))
    const chain = chainAfter(...past, started('m1', 'MANUAL', T0 + 200), finished('m1', T0 + 300, 500, null))
    expect([chain.status, isDelivered(chain)]).toEqual(['DELIVERED', true])
  })
  test('deliver what was undeliverable or exhausted', () => {
    const undeliverable = [accepted({ isDeliverable: false }), started('m1', 'MANUAL', T0 + 1), finished('m1', T0 + 2, 200, null)]
    expect(chainAfter(...undeliverable).status).toBe('DELIVERED')
    const exhausted = [accepted(), started('e1', 'INITIAL', T0), finished('e1', T0 + 1, 500, null)]
    expect(chainAfter(...exhausted).status).toBe('EXHAUSTED')
    expect(chainAfter(...exhausted, started('m1', 'MANUAL', T0 + 2), finished('m1', T0 + 3, 500, null)).status).toBe('EXHAUSTED')
    expect(chainAfter(...exhausted, started('m1', 'MANUAL', T0 + 2), finished('m1', T0 + 3, 200, null)).status).toBe('DELIVERED')
  })
  test.each([{ idempotencyKey: 'k' }, { taskId: 't' }])('that two processes began for the same reason were both made: %j', (why) => {
    const begun = (eventId: string, at: number): ChainEvent => {
      const event = started(eventId, 'MANUAL', at)
      return { ...event, data: { ...event.data, ...why } }
    }
    const past = [...failedInitially, begun('m1', T0 + 200)]
    given(...past)
      .when({ ...retry('m2', T0 + 201), ...why })
      .isRejectedWith({ code: 'RETRY_REPEATED' })
    expect(chainAfter(...past, begun('m2', T0 + 201))).toEqual(chainAfter(...past))
    given(...past)
      .when({ ...retry('m2', T0 + 201), idempotencyKey: 'another' })
      .emits({ ...started('m2', 'MANUAL', T0 + 201), data: { ...started('m2', 'MANUAL', T0 + 201).data, idempotencyKey: 'another' } })
  })
  test('under a key of the day before are others', () => {
    const begun = (eventId: string, at: number): ChainEvent => {
      const event = started(eventId, 'MANUAL', at)
      return { ...event, data: { ...event.data, idempotencyKey: 'k' } }
    }
    const tomorrow = T0 + 200 + RETRY_KEY_WINDOW_MS
    given(...failedInitially, begun('m1', T0 + 200))
      .when({ ...retry('m2', tomorrow), idempotencyKey: 'k' })
      .emits(begun('m2', tomorrow))
  })
  test('are bounded', () => {
    const many = Array.from({ length: ATTEMPTS_PER_CHAIN_MAX }, (_, index) => started(`m${index}`, 'MANUAL', T0))
    given(accepted(), ...many)
      .when(retry('more', T0))
      .isRejectedWith({ code: 'TOO_MANY_ATTEMPTS', limit: ATTEMPTS_PER_CHAIN_MAX })
  })
  test('of an event that is not there', () => {
    given().when(retry('m1', T0)).isRejectedWith({ code: 'EVENT_NOT_FOUND' })
  })
})

describe('the end without a delivery', () => {
  const abandoned: ChainEvent = { type: 'DeliveryAbandoned', data: { ...place, profileId, at: T0 + 60_000 } }
  test('a schedule that ran out while the endpoint was disabled is abandoned', () => {
    given(...failedInitially)
      .when({ type: 'AbandonDelivery', ...place, at: T0 + 60_000 })
      .emits(abandoned)
    expect(chainAfter(...failedInitially, abandoned)).toMatchObject({ status: 'EXHAUSTED', nextAt: null })
  })
  test('what was accepted twice is shown once', () => {
    const retracted: ChainEvent = { type: 'WebhookEventRetracted', data: { ...place, profileId, duplicateOf: 'evt_first', at: T0 } }
    const chain = chainAfter(accepted(), retracted)
    expect([chain.status, chain.listedAt, chain.freshAt, chain.dueAt]).toEqual(['RETRACTED', undefined, undefined, undefined])
    given(accepted(), retracted).when(retry('m1', T0)).isRejectedWith({ code: 'EVENT_NOT_FOUND' })
  })
  test('events of a chain whose beginning is not kept any more change nothing', () => {
    expect(chainAfter(started('e1', 'AUTOMATIC', T0)).status).toBe('ABSENT')
  })
})
