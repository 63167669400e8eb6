import { describe, expect, test } from '@jest/globals'
import { createGroups } from './groups.ts'

const countOne = (known: number | undefined): number => (known ?? 0) + 1

describe('groups', () => {
  test('values that only look alike when joined are different groups', () => {
    const groups = createGroups<number>(10)
    groups.update(['a', 'b,c'], countOne)
    groups.update(['a,b', 'c'], countOne)
    groups.update(['null'], countOne)
    groups.update([null], countOne)
    expect(groups.values()).toEqual([1, 1, 1, 1])
  })

  test('a full list still counts for the groups it has, and says that others are missing', () => {
    const groups = createGroups<number>(1)
    groups.update(['a'], countOne)
    expect(groups.isCut()).toBe(false)
    groups.update(['b'], countOne)
    groups.update(['a'], countOne)
    expect([groups.values(), groups.isCut()]).toEqual([[2], true])
  })
})
