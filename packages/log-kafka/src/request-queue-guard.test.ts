import { EventEmitter } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, jest, test } from '@jest/globals'
import RequestQueue from 'kafkajs/src/network/requestQueue/index.js'

const { prototype } = RequestQueue
const unguarded = prototype.scheduleCheckPendingRequests
await import('./request-queue-guard.ts')

const HOURS_MS = 2 * 3_600_000
const WATCHED_MS = 1_000

const openQueue = (requestTimeout?: number): RequestQueue =>
  new RequestQueue({
    maxInFlightRequests: null,
    requestTimeout: requestTimeout ?? 1_000,
    enforceRequestTimeout: requestTimeout !== undefined,
    clientId: 'test',
    broker: '127.0.0.1:1',
    logger: { debug: () => {}, warn: () => {} },
    instrumentationEmitter: new EventEmitter(),
  })

/** Timers that were set while `run` ran. */
const timersOf = (run: () => void): number => {
  const spy = jest.spyOn(globalThis, 'setTimeout').mockReturnValue(1 as never)
  run()
  const count = spy.mock.calls.length
  spy.mockRestore()
  return count
}

describe('the queue of requests of the driver', () => {
  test('as it comes arms a timer although nothing waits', () => {
    const queue = openQueue()
    expect(timersOf(() => unguarded.call(queue))).toBe(1)
  })

  test('arms none when nothing waits', () => {
    const queue = openQueue()
    expect(timersOf(() => queue.checkPendingRequests())).toBe(0)
    expect(timersOf(() => queue.scheduleCheckPendingRequests())).toBe(0)
  })

  test('arms one when a request waits for the end of a throttling', () => {
    const queue = openQueue()
    queue.throttledUntil = Date.now() + 60_000
    const request = { entry: { correlationId: 1 }, expectResponse: true, sendRequest: () => {} }
    expect(timersOf(() => queue.push(request))).toBe(1)
  })

  describe('gives up a request that is not answered', () => {
    afterEach(() => {
      jest.restoreAllMocks()
    })

    /** Sends a request, sets the clock, and tells after how long the request was given up, milliseconds; nothing when it was not. */
    const givenUpAfterMs = async (requestTimeout: number, clockGoesByMs: number): Promise<number | undefined> => {
      const queue = openQueue(requestTimeout)
      queue.scheduleRequestTimeoutCheck()
      const sentMs = performance.now()
      const givenUp = new Promise<number>((resolve) => {
        const entry = { correlationId: 1, resolve: () => {}, reject: () => resolve(performance.now() - sentMs) }
        queue.push({ entry, expectResponse: true, sendRequest: () => {} })
      })
      const { now } = Date
      jest.spyOn(Date, 'now').mockImplementation(() => now() + clockGoesByMs)
      const after = await Promise.race([givenUp, delay(WATCHED_MS, undefined)])
      queue.destroy()
      return after
    }

    test('after its time, also when the clock is set back', async () => {
      expect(await givenUpAfterMs(200, -HOURS_MS)).toBeGreaterThan(199)
    })

    test('and not when the clock is set forward', async () => {
      expect(await givenUpAfterMs(60_000, HOURS_MS)).toBeUndefined()
    })
  })
})
