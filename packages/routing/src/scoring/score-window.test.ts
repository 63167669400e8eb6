import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { BUCKET_SIZE_MAX } from '../scoring-settings/setting-ranges.ts'
import {
  referenceForget,
  referencePush,
  referenceSampleCount,
  referenceScore,
  referenceTurn,
  referenceWindow,
} from './reference-window.fixture.ts'
import { ScoreWindow } from './score-window.ts'

const S = 1
const F = 0

describe('success-rate window', () => {
  test('the worked example of the sheet: F, F, S in a window of five, then three, then five again', () => {
    const window = ScoreWindow.optimistic(0, 5)
    expect(window.score(5)).toBe(1)
    window.push(F, 5)
    expect(window.score(5)).toBe(0.8)
    window.push(F, 5)
    expect(window.score(5)).toBe(0.6)
    window.push(S, 5)
    expect(window.score(5)).toBe(0.6)
    expect(window.score(3)).toBeCloseTo(1 / 3, 12)
    window.push(S, 3)
    expect(window.score(3)).toBeCloseTo(2 / 3, 12)
    expect(window.score(5)).toBeCloseTo(2 / 3, 12)
    expect(window.state().entries).toEqual([0, 1, 1])
  })

  test('needs as many outcomes as it is long before the optimistic entries have left', () => {
    const window = ScoreWindow.optimistic(0, 125)
    for (let outcome = 0; outcome < 124; outcome++) window.push(F, 125)
    expect(window.score(125)).toBe(1 / 125)
    expect(window.sampleCount(125)).toBe(124)
    window.push(F, 125)
    expect(window.score(125)).toBe(0)
    expect(window.sampleCount(125)).toBe(125)
  })

  test('a failure turns into a success while it is in the window, and only then', () => {
    const window = ScoreWindow.optimistic(0, 3)
    const first = window.push(F, 3)
    window.push(F, 3)
    expect(window.turnToSuccess(first)).toBe(true)
    expect(window.score(3)).toBeCloseTo(2 / 3, 12)
    window.push(F, 3)
    window.push(F, 3)
    expect(window.turnToSuccess(first)).toBe(false)
    expect(window.score(3)).toBe(0)
  })

  test('a length beyond the limit is a bug', () => {
    expect(() => ScoreWindow.optimistic(0, BUCKET_SIZE_MAX + 1)).toThrow('length of a window')
  })

  const step = fc.oneof(
    fc.record({ kind: fc.constant('push' as const), outcome: fc.constantFrom<0 | 1>(0, 1), bucketSize: fc.integer({ min: 1, max: 70 }) }),
    fc.record({ kind: fc.constant('turn' as const), back: fc.nat(80) }),
    fc.record({ kind: fc.constant('restore' as const) }),
    fc.record({ kind: fc.constant('forget' as const), kept: fc.integer({ min: 1, max: 20 }), optimistic: fc.integer({ min: 0, max: 12 }) }),
  )

  test('says the same as the plain list, whatever is pushed, turned, restored and read', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 70 }), fc.array(step, { maxLength: 200, size: 'max' }), (initial, steps) => {
        let window = ScoreWindow.optimistic(0, initial)
        let reference = referenceWindow(initial)
        for (const action of steps) {
          if (action.kind === 'push') {
            window.push(action.outcome, action.bucketSize)
            reference = referencePush(reference, action.outcome, action.bucketSize)
          } else if (action.kind === 'turn') {
            const sequence = window.next - 1 - action.back
            expect(window.turnToSuccess(sequence)).toBe(reference.some((entry) => entry.sequence === sequence))
            reference = referenceTurn(reference, sequence)
          } else if (action.kind === 'forget' && window.realCount > 0) {
            window.forgetBefore(action.kept, action.optimistic)
            reference = referenceForget(reference, action.kept, action.optimistic)
          } else {
            window = ScoreWindow.restore(window.state())
          }
          const lengths = [1, 3, 40, 70]
          expect(lengths.map((length) => [window.score(length), window.sampleCount(length)])).toEqual(
            lengths.map((length) => [referenceScore(reference, length), referenceSampleCount(reference, length)]),
          )
        }
      }),
      { numRuns: 30, endOnFailure: true },
    )
  })
})
