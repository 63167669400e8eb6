import { expect, test } from '@jest/globals'
import { compareFigures } from './figures.mjs'

// `npm run bench:figures` does the same with a million events.
test('a day of random events is told as it is counted, and replays to the same read models', async () => {
  const { expected, told, differences } = await compareFigures({ seed: 1, eventCount: 1_000 })
  expect(told).toBe(expected)
  expect(differences).toEqual([])
}, 120_000)
