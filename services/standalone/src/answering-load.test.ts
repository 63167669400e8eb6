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
    [790, 70],
    [800, 270],
    [1_000, 270],
  ])('at %i thousandths the background thread rests %i ms after 30 ms of work', (permille, restMs) => {
    expect(createRest(loadOf(permille))(30)).toBeCloseTo(restMs, 6)
  })

  test('no rest is longer than half a second', () => {
    expect(createRest(loadOf(1_000))(10_000)).toBe(500)
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
