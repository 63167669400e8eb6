import { describe, expect, test } from '@jest/globals'
import { compareFigures } from './figures.mjs'

// `npm run bench:figures` does the same with a million events.
describe('a day of random events', () => {
  test.each([1, 2])('is told as it is counted, and replays to the same read models (seed %i)', async (seed) => {
    const { expected, told, differences } = await compareFigures({ seed, eventCount: 4_000 })
    expect(told).toBe(expected)
    expect(differences).toEqual([])
  })
})
