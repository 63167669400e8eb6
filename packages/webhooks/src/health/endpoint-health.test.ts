import { describe, expect, test } from '@jest/globals'
import type { WebhooksEvent } from '@switchyard/events'
import { DISABLE_AFTER_FAILURES, DISABLE_AFTER_MS } from '../limits.ts'
import { type EndpointHealth, endpointHealth, failingSince, isBeyondHope } from './endpoint-health.ts'

const ended = (statusCode: number | null, at: number, durationMs = 1): WebhooksEvent => ({
  type: 'DeliveryAttemptFinished',
  data: {
    merchantId: 'm1',
    chainId: 'evt_1',
    profileId: 'p1',
    eventId: 'evt_1',
    response: null,
    statusCode,
    errorMessage: null,
    durationMs,
    nextRetryAt: null,
    taskId: null,
    at,
  },
})
const after = (...events: readonly WebhooksEvent[]): EndpointHealth =>
  events.reduce(
    (view: EndpointHealth, event, offset) =>
      endpointHealth.project(
        view,
        { event, effects: { expectedVersion: undefined }, position: { partition: 0, offset }, eventId: `e${offset}` },
        ['m1', 'p1'],
      ),
    endpointHealth.initialView(['m1', 'p1']),
  )

describe('the failures of an endpoint', () => {
  test('count from the first one on', () => {
    expect(after(ended(500, 10), ended(null, 20), ended(301, 30))).toEqual({
      firstFailureAt: 10,
      failureCount: 3,
      failedStartsAt: [9, 19, 29],
    })
  })

  test('one success forgets them', () => {
    expect(after(ended(500, 10), ended(204, 20))).toEqual({ firstFailureAt: null, failureCount: 0 })
    expect(after(ended(500, 10), ended(200, 20), ended(500, 30))).toEqual({ firstFailureAt: 30, failureCount: 1, failedStartsAt: [29] })
  })

  const failures = (count: number, at: number): readonly WebhooksEvent[] => Array.from({ length: count }, () => ended(500, at))

  test('are timed as far back as they are counted', () => {
    expect(after(...failures(1_000, 10), ...failures(DISABLE_AFTER_FAILURES, 20)).failedStartsAt).toEqual(
      Array(DISABLE_AFTER_FAILURES).fill(19),
    )
  })

  test.each([
    ['nineteen since it was enabled', DISABLE_AFTER_FAILURES - 1, 2_000, false],
    ['twenty since it was enabled', DISABLE_AFTER_FAILURES, 2_000, true],
    ['twenty that began before it was enabled', DISABLE_AFTER_FAILURES, 2_001, false],
  ])('of an endpoint that failed before: %s', (_name, count, activeSince, expected) => {
    const health = after(...failures(30, 1_000), ...failures(count, 2_001))
    expect(isBeyondHope(health, activeSince, activeSince + DISABLE_AFTER_MS)).toBe(expected)
  })

  test('that an earlier release counted go on, unless the endpoint was enabled since the first of them', () => {
    const counted: EndpointHealth = { firstFailureAt: 1_000, failureCount: DISABLE_AFTER_FAILURES - 1 }
    const event = { event: ended(500, 2_001), effects: { expectedVersion: undefined }, position: { partition: 0, offset: 0 }, eventId: 'e' }
    const health = endpointHealth.project(counted, event, ['m1', 'p1'])
    expect(isBeyondHope(health, 1_000, 1_000 + DISABLE_AFTER_MS)).toBe(true)
    expect(isBeyondHope(health, 1_001, 1_001 + DISABLE_AFTER_MS)).toBe(false)
  })

  const failing = after(...failures(DISABLE_AFTER_FAILURES, 1_000))
  test.each([
    ['five days and twenty failures', failing, 0, 1_000 + DISABLE_AFTER_MS, true],
    ['a millisecond less than five days', failing, 0, 999 + DISABLE_AFTER_MS, false],
    ['nineteen failures', after(...failures(DISABLE_AFTER_FAILURES - 1, 1_000)), 0, 9_000 + DISABLE_AFTER_MS, false],
    ['one old failure', after(ended(500, 1_000)), 0, 10 * DISABLE_AFTER_MS, false],
    ['five days of which it was enabled again in the middle', failing, 2_000, 1_000 + DISABLE_AFTER_MS, false],
    ['five days since it was enabled again, without a failure', failing, 2_000, 2_000 + DISABLE_AFTER_MS, false],
    ['no failure', { firstFailureAt: null, failureCount: 0 }, 0, 10 * DISABLE_AFTER_MS, false],
  ])('%s', (_name, health, activeSince, at, expected) => {
    expect(isBeyondHope(health, activeSince, at)).toBe(expected)
  })

  test.each([
    ['none', after(ended(200, 5)), 0, null],
    ['its own', after(ended(500, 10), ended(500, 20)), 5, 10],
    ['those of one that stood there before', after(ended(500, 10), ended(500, 20)), 30, null],
    ['one that began at that one', after(ended(500, 10), ended(500, 40, 20)), 30, null],
    ['its own behind those of that one', after(ended(500, 10), ended(500, 40), ended(500, 50)), 30, 39],
    ['more of its own than are timed, behind those of that one', after(ended(500, 10), ...failures(DISABLE_AFTER_FAILURES, 40)), 30, 30],
  ])('since when an endpoint has been failing, of %s', (_name, health, createdAt, expected) => {
    expect(failingSince(health, createdAt)).toBe(expected)
  })
})
