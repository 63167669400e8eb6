import { describe, expect, test } from '@jest/globals'
import { startBehind } from './committed.ts'

const range = (first: number, next: number) => new Map([[4, { first, next }]])

describe('a member of a group goes on', () => {
  test.each<[string, number | undefined, [first: number, next: number], number, number]>([
    ['where the group is', 7, [0, 20], 6, 0],
    ['at the end when all is read', 20, [0, 20], 19, 0],
    ['at the first record when nothing was noted', -1, [5, 20], 4, 0],
    ['at the first record of a partition that nobody knows', undefined, [0, 0], -1, 0],
    ['behind records that were forgotten unread, and says how many', 3, [5, 20], 4, 2],
    ['at the first record of a topic that was made anew', 30, [0, 2], -1, 0],
  ])('%s', (_name, noted, [first, next], after, missedCount) => {
    const committed = noted === undefined ? new Map() : new Map([[4, noted]])
    const { from, missed } = startBehind(committed, range(first, next))
    expect([...from]).toEqual([[4, after]])
    expect(missed).toEqual(missedCount === 0 ? [] : [{ partition: 4, count: missedCount }])
  })
})
