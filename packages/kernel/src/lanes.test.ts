import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from '@jest/globals'
import { createLanes } from './lanes.ts'

describe('lanes', () => {
  test('run so many tasks at a time, in the order in which they came, also behind one that failed', async () => {
    const lanes = createLanes(2)
    const begun: number[] = []
    let runningCount = 0
    let most = 0
    const task = (number: number) => async (): Promise<number> => {
      begun.push(number)
      runningCount += 1
      most = Math.max(most, runningCount)
      await nextTurn()
      runningCount -= 1
      if (number === 1) throw new Error('refused')
      return number
    }
    const handedOver = [0, 1, 2, 3, 4].map((number) => lanes.run(task(number)))
    expect(lanes.waitingCount()).toBe(3)
    const settled = await Promise.allSettled(handedOver)
    expect(lanes.waitingCount()).toBe(0)
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled'])
    expect([begun, most]).toEqual([[0, 1, 2, 3, 4], 2])
    await Promise.all([5, 6, 7].map((number) => lanes.run(task(number))))
    expect([begun.slice(5), most]).toEqual([[5, 6, 7], 2])
  })
})
