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
    [400, 49],
    [790, 49],
    [800, 399],
    [1_000, 399],
  ])('at %i thousandths the background thread rests %i ms after 21 ms of work', (permille, restMs) => {
    let active = 1_000
    const rest = createRest(loadOf(permille), () => active)
    active += 21
    expect(rest()).toBeCloseTo(restMs, 6)
    expect(rest()).toBe(0)
  })

  test('no rest is longer than a second', () => {
    let active = 0
    const rest = createRest(loadOf(1_000), () => active)
    active = 10_000
    expect(rest()).toBe(1_000)
  })

  test('what the calling thread does counts as work, whatever it is', () => {
    const rest = createRest(loadOf(1_000))
    const until = performance.now() + 20
    while (performance.now() < until);
    expect(rest()).toBeGreaterThan(0)
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
