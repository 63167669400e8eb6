import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, jest, test } from '@jest/globals'
import { createBreaths } from './breaths.ts'

const GIVING_UP_MS = 20_000
const REST_COUNT = 50

let others: readonly Worker[] = []
afterEach(async () => {
  await Promise.all(others.map((other) => other.terminate()))
})

/** Only Linux tells how long a thread waits for a core. */
const describeWhereTold = existsSync('/proc/thread-self/schedstat') ? describe : describe.skip

describeWhereTold('breaths of a thread', () => {
  test('it rests beside more threads than there are cores', async () => {
    others = Array.from({ length: 2 * availableParallelism() }, () => new Worker('for (;;);', { eval: true }))
    await Promise.all(others.map((other) => new Promise((resolve) => other.once('online', resolve))))
    const rest = jest.spyOn(Atomics, 'wait')
    const breathe = createBreaths()
    const endMs = performance.now() + GIVING_UP_MS
    while (rest.mock.calls.length < REST_COUNT && performance.now() < endMs) breathe()
    const restCount = rest.mock.calls.length
    rest.mockRestore()
    expect(restCount).toBe(REST_COUNT)
  }, 30_000)
})
