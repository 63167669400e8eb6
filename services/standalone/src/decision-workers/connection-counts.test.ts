import { describe, expect, test } from '@jest/globals'
import { createConnectionCounts, FIRST_THREAD, shareConnectionCounts } from './connection-counts.ts'

describe('connection counts', () => {
  test('the next connection goes to the thread with the fewest, and of equals not to the first', () => {
    const counts = createConnectionCounts(shareConnectionCounts(3))
    const given: number[] = []
    for (let number = 0; number < 6; number += 1) {
      const thread = counts.next()
      given.push(thread)
      counts.add(thread, 1)
    }
    expect(given).toEqual([2, 1, FIRST_THREAD, 2, 1, FIRST_THREAD])
    counts.add(FIRST_THREAD, -1)
    expect([counts.next(), counts.total()]).toEqual([FIRST_THREAD, 5])
  })

  test('all threads look at the same counts', () => {
    const shared = shareConnectionCounts(2)
    const [one, other] = [createConnectionCounts(shared), createConnectionCounts(shared)]
    one.add(1, 1)
    expect([other.next(), other.total()]).toEqual([FIRST_THREAD, 1])
    other.add(1, -1)
    expect([one.next(), one.total()]).toEqual([1, 0])
  })
})
