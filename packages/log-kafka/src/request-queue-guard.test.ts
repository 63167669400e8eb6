import { EventEmitter } from 'node:events'
import { describe, expect, jest, test } from '@jest/globals'
import RequestQueue from 'kafkajs/src/network/requestQueue/index.js'

const { prototype } = RequestQueue
const unguarded = prototype.scheduleCheckPendingRequests
await import('./request-queue-guard.ts')

const openQueue = (): RequestQueue =>
  new RequestQueue({
    maxInFlightRequests: null,
    requestTimeout: 1_000,
    enforceRequestTimeout: false,
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
})
