import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { WordPool } from './word-pool.ts'

describe('pool of words', () => {
  test('blocks never overlap and keep what was written, however many are taken and given back', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('take' as const), wordCount: fc.integer({ min: 1, max: 40 }) }),
      fc.record({ kind: fc.constant('give' as const), index: fc.nat(20) }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const pool = new WordPool()
        const blocks: { readonly first: number; readonly wordCount: number; readonly mark: number }[] = []
        for (const [mark, action] of steps.entries()) {
          if (action.kind === 'take') {
            const first = pool.take(action.wordCount)
            pool.words.fill(mark, first, first + action.wordCount)
            blocks.push({ first, wordCount: action.wordCount, mark })
          } else {
            const [block] = blocks.splice(action.index, 1)
            if (block !== undefined) pool.giveBack(block.first, block.wordCount)
          }
          for (const { first, wordCount, mark: written } of blocks) {
            expect([...pool.words.subarray(first, first + wordCount)]).toEqual(Array.from({ length: wordCount }, () => written))
          }
        }
      }),
    )
  })

  test('a block that was given back is the next one of its length', () => {
    const pool = new WordPool()
    const first = pool.take(4)
    pool.giveBack(first, 4)
    expect([pool.take(5) === first, pool.take(4) === first]).toEqual([false, true])
  })

  test('little is left unused', () => {
    const pool = new WordPool()
    for (let n = 0; n < 10_000; n++) pool.take(4)
    expect(pool.words.length).toBeLessThan(40_000 * 1.13)
  })
})
