import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { findRateChange } from './rate-change.ts'
import { ScoreWindow } from './score-window.ts'

/** A window of 125 with these real outcomes, oldest first: `8F 5S` are eight failures, then five successes. */
const windowOf = (outcomes: readonly (0 | 1)[], optimisticCount = 8): ScoreWindow => {
  const window = ScoreWindow.optimistic(0, optimisticCount)
  for (const outcome of outcomes) window.push(outcome, 125)
  return window
}

const outcomesOf = (text: string): readonly (0 | 1)[] =>
  text.split(' ').flatMap((run) => Array.from({ length: Number.parseInt(run, 10) }, () => (run.endsWith('S') ? 1 : 0)))

const logLikelihood = (successes: number, count: number): number => {
  const part = (n: number): number => (n === 0 ? 0 : n * Math.log(n / count))
  return part(successes) + part(count - successes)
}

/** Every split, by the formula of contract/README.md 4. */
const referenceExcess = (newestFirst: readonly number[]): number => {
  const sum = (outcomes: readonly number[]): number => outcomes.reduce((total, outcome) => total + outcome, 0)
  let excess = 0
  for (let split = 5; split <= newestFirst.length - 8; split++) {
    const [newer, older] = [newestFirst.slice(0, split), newestFirst.slice(split)]
    const one = logLikelihood(sum(newestFirst), newestFirst.length)
    const gain = logLikelihood(sum(newer), newer.length) + logLikelihood(sum(older), older.length) - one
    const isRise = sum(newer) / newer.length > sum(older) / older.length
    excess = Math.max(excess, gain - (isRise ? 3.5 : 25))
  }
  return excess
}

describe('change of a rate', () => {
  test.each([
    // -(5 ln 5/13 + 8 ln 8/13) = 8.66 nats up
    ['8F 5S', { newerCount: 5, olderCount: 8, newerRate: 1, olderRate: 0 }],
    ['8F 4S', null],
    ['7F 5S', null],
    // -(60 ln 60/69 + 9 ln 9/69) = 26.72 nats down
    ['60S 9F', { newerCount: 9, olderCount: 60, newerRate: 0, olderRate: 1 }],
    // -(60 ln 60/68 + 8 ln 8/68) = 24.63 nats down are not enough
    ['60S 8F', null],
    ['20S 2F 20S 2F 20S', null],
    ['4F 6S 4F 6S 20S', { newerCount: 26, olderCount: 14, newerRate: 1, olderRate: 6 / 14 }],
  ])('%s', (outcomes, expected) => {
    expect(findRateChange(windowOf(outcomesOf(outcomes)))).toEqual(expected)
  })

  test('the optimistic filling takes no part', () => {
    expect(findRateChange(ScoreWindow.optimistic(0, 125))).toBeNull()
    expect(findRateChange(windowOf(outcomesOf('12F'), 100))).toBeNull()
  })

  test('finds the clearest of all splits', () => {
    const outcomes = fc.array(fc.constantFrom<0 | 1>(0, 1, 1), { maxLength: 60, size: 'max' })
    const shifted = fc.tuple(
      outcomes,
      outcomes.map((list) => list.map((outcome): 0 | 1 => (outcome === 1 ? 0 : 1))),
    )
    fc.assert(
      fc.property(shifted, ([first, second]) => {
        const all = [...second, ...first]
        const newestFirst = all.toReversed()
        const found = findRateChange(windowOf(all))
        const expected = referenceExcess(newestFirst)
        expect(found !== null).toBe(expected > 0)
        if (found === null) return
        const { newerCount, newerRate, olderCount, olderRate } = found
        const one = logLikelihood(
          newestFirst.reduce<number>((sum, outcome) => sum + outcome, 0),
          newestFirst.length,
        )
        const two =
          logLikelihood(Math.round(newerRate * newerCount), newerCount) + logLikelihood(Math.round(olderRate * olderCount), olderCount)
        expect(two - one - (newerRate > olderRate ? 3.5 : 25)).toBeCloseTo(expected, 9)
      }),
    )
  })

  test('a window is read once', () => {
    const window = ScoreWindow.optimistic(0, 1)
    for (let n = 0; n < 10_000; n++) window.push(n % 9 === 0 ? 0 : 1, 10_000)
    let readCount = 0
    const counted = new Proxy(window, {
      get: (target, name) => {
        if (name === 'outcomeAt') {
          return (age: number) => {
            readCount++
            return target.outcomeAt(age)
          }
        }
        return Reflect.get(target, name, target)
      },
    })
    findRateChange(counted)
    expect(readCount).toBeLessThanOrEqual(10_000)
  })
})
