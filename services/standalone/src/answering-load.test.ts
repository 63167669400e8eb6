import { describe, expect, test } from '@jest/globals'
import { createRest, publishAnsweringLoad } from './answering-load.ts'

const loadOf = (permille: number): SharedArrayBuffer => {
  const shared = new SharedArrayBuffer(4)
  new Int32Array(shared)[0] = permille
  return shared
}

describe('the load of the answering thread', () => {
  test.each([
    [0, 0],
    [390, 0],
    [400, 70],
    [1_000, 70],
  ])('at %i thousandths the background thread rests %i ms after 30 ms of work', (permille, restMs) => {
    for (const threads of [
      { workerCount: 1, coreCount: 1 },
      { workerCount: 2, coreCount: 3 },
    ])
      expect(createRest(loadOf(permille), threads)(30)).toBeCloseTo(restMs, 6)
  })

  test('where each core has a thread that decides, the background thread rests nine tenths of the time', () => {
    const rest = createRest(loadOf(1_000), { workerCount: 2, coreCount: 2 })
    expect(rest(30)).toBeCloseTo(270, 6)
    expect(createRest(loadOf(390), { workerCount: 2, coreCount: 2 })(30)).toBe(0)
  })

  test('no rest is longer than half a second', () => {
    expect(createRest(loadOf(1_000), { workerCount: 1, coreCount: 2 })(10_000)).toBe(500)
  })

  test('is published by the thread itself', async () => {
    const { shared, stop } = publishAnsweringLoad()
    const view = new Int32Array(shared)
    const until = performance.now() + 5_000
    while ((view[0] ?? 0) < 500 && performance.now() < until) {
      const busyUntil = performance.now() + 20
      while (performance.now() < busyUntil);
      await new Promise((resolve) => setImmediate(resolve))
    }
    stop()
    expect(view[0]).toBeGreaterThanOrEqual(500)
  })
})
