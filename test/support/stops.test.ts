import { describe, expect, test } from '@jest/globals'
import { allSettled, startAsOne } from './stops.ts'

/** Starts `a`, `b` and `c` in this order, and notes which ones are stopped. */
const startThree = (stopped: string[], failing: { readonly start?: string; readonly stop?: string } = {}) =>
  startAsOne(async (onStop) => {
    for (const part of ['a', 'b', 'c']) {
      if (part === failing.start) throw new Error(`${part} does not start`)
      onStop(async () => {
        if (part === failing.stop) throw new Error(`${part} does not stop`)
        stopped.push(part)
      })
    }
    return { started: true }
  })

describe('what is started as one', () => {
  test('is stopped in the reverse order, once', async () => {
    const stopped: string[] = []
    const { started, stop } = await startThree(stopped)
    expect([started, stopped]).toEqual([true, []])
    await stop()
    await stop()
    expect(stopped).toEqual(['c', 'b', 'a'])
  })

  test('leaves nothing running when a part does not start', async () => {
    const stopped: string[] = []
    await expect(startThree(stopped, { start: 'c' })).rejects.toThrow('c does not start')
    expect(stopped).toEqual(['b', 'a'])
  })

  test('has its other parts stopped when one of them does not stop', async () => {
    const stopped: string[] = []
    const { stop } = await startThree(stopped, { stop: 'b' })
    await expect(stop()).rejects.toThrow('b does not stop')
    expect(stopped).toEqual(['c', 'a'])
  })

  test('says why it did not start, whatever did not stop', async () => {
    const stopped: string[] = []
    await expect(startThree(stopped, { start: 'c', stop: 'b' })).rejects.toThrow('c does not start')
    expect(stopped).toEqual(['a'])
  })
})

test('parts that start together are all at their end when the first failure is told', async () => {
  let isLate = true
  const late = new Promise<void>((resolve) => {
    setImmediate(() => {
      isLate = false
      resolve()
    })
  })
  await expect(allSettled([Promise.reject(new Error('refused')), late])).rejects.toThrow('refused')
  expect(isLate).toBe(false)
})
