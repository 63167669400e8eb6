import { describe, expect, test } from '@jest/globals'
import { createPlaces } from './places.ts'

describe('places', () => {
  test('of one owner leave those of others free, and what is given back is free again', () => {
    const places = createPlaces({ countMax: 3, perOwnerMax: 2 })
    const giveBack = places.take('a')
    places.take('a')
    expect([places.isFree('a'), places.isFree('b'), places.isFree(undefined)]).toEqual([false, true, true])
    giveBack()
    expect(places.isFree('a')).toBe(true)
  })

  test('are bound in all, whoever has them', () => {
    const places = createPlaces({ countMax: 2, perOwnerMax: 2 })
    const giveBack = places.take(undefined)
    places.take('a')
    expect([places.isFree('a'), places.isFree('b'), places.isFree(undefined)]).toEqual([false, false, false])
    giveBack()
    expect([places.isFree('a'), places.isFree('b'), places.isFree(undefined)]).toEqual([true, true, true])
  })

  test('without an owner are as many as there are', () => {
    const places = createPlaces({ countMax: 3, perOwnerMax: 1 })
    places.take(undefined)
    places.take(undefined)
    expect([places.isFree(undefined), places.isFree('a')]).toEqual([true, true])
  })

  test('are given back by work that fails, too', async () => {
    const places = createPlaces({ countMax: 1, perOwnerMax: 1 })
    const failing = places.within('a', async () => {
      expect(places.isFree('a')).toBe(false)
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(places.isFree('a')).toBe(true)
  })
})
