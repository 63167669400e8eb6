import { describe, expect, test } from '@jest/globals'
import { hash32, hash53, unitInterval } from './hash.ts'

describe('hash', () => {
  test('never changes: choices recorded in old logs depend on it', () => {
    expect([hash53(''), hash53('pay_1'), hash53('pay_1', 'adyen'), hash53('é')]).toMatchInlineSnapshot(`
[
  4058409593161228,
  5342468764958684,
  4399607691928189,
  6060224621515431,
]
`)
  })

  test('parts do not run into each other', () => {
    expect(hash53('ab', 'c')).not.toBe(hash53('a', 'bc'))
  })

  test('sequential ids fill the unit interval evenly: chi-square over 100 cells stays below its 0.1 % point', () => {
    const counts = new Array<number>(100).fill(0)
    for (let i = 0; i < 100_000; i++) {
      const cell = Math.floor(unitInterval('salt', `pay_${i}`) * 100)
      counts[cell] = (counts[cell] ?? 0) + 1
    }
    const chiSquare = counts.reduce((sum, n) => sum + (n - 1000) ** 2 / 1000, 0)
    expect(chiSquare).toBeLessThan(149)
  })

  test('of 32 bits: the lowest ones of ids in sequence are even, chi-square over 128 cells stays below its 0.1 % point', () => {
    const counts = new Array<number>(128).fill(0)
    for (let i = 0; i < 128_000; i++) {
      const cell = hash32(`pay_${i}`) & 127
      counts[cell] = (counts[cell] ?? 0) + 1
    }
    const chiSquare = counts.reduce((sum, n) => sum + (n - 1000) ** 2 / 1000, 0)
    expect(chiSquare).toBeLessThan(182)
  })

  test('two salts choose independently', () => {
    let both = 0
    for (let i = 0; i < 100_000; i++) if (unitInterval('a', `p${i}`) < 0.1 && unitInterval('b', `p${i}`) < 0.1) both++
    expect(both).toBeGreaterThan(850)
    expect(both).toBeLessThan(1150)
  })
})
