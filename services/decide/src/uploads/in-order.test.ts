import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { inOrder } from './in-order.ts'

const collect = async <Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> => {
  const collected: Item[] = []
  for await (const item of items) collected.push(item)
  return collected
}

const source = async function* (delays: readonly number[]): AsyncGenerator<number> {
  for (const [index, delay] of delays.entries()) {
    if (delay > 0) await pause(delay)
    yield index
  }
}

describe('work in order', () => {
  test('keeps the order and the bound, however long each item takes', async () => {
    const delays = fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(delays, delays, fc.integer({ min: 1, max: 4 }), async (arrivals, efforts, inFlightMax) => {
        let inFlight = 0
        let most = 0
        const work = async (index: number): Promise<number> => {
          most = Math.max(most, ++inFlight)
          await pause(efforts[index] ?? 0)
          inFlight -= 1
          return index
        }
        expect(await collect(inOrder(source(arrivals), work, inFlightMax))).toEqual(arrivals.map((_, index) => index))
        expect(most).toBeLessThanOrEqual(inFlightMax)
      }),
      { numRuns: 40 },
    )
  })

  test('a result does not wait for the next item', async () => {
    const never = (async function* (): AsyncGenerator<number> {
      yield 1
      await new Promise(() => {})
    })()
    const results = inOrder(never, async (item) => item, 4)
    expect(await results.next()).toEqual({ done: false, value: 1 })
  })

  test('failures of the source and of the work end it', async () => {
    const failing = (async function* (): AsyncGenerator<number> {
      yield 1
      throw new Error('the source is gone')
    })()
    await expect(collect(inOrder(failing, async (item) => item, 4))).rejects.toThrow('the source is gone')
    await expect(collect(inOrder(source([0, 0]), () => Promise.reject(new Error('no work')), 4))).rejects.toThrow('no work')
  })
})
