import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from '@jest/globals'
import { compareFigures } from './figures.mjs'

const folder = mkdtempSync(join(tmpdir(), 'switchyard-figures-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

// `npm run bench:figures` does the same with a million events.
test('a day of random events is told as it is counted, and replays to the same read models', async () => {
  const { expected, told, differences } = await compareFigures({ seed: 1, eventCount: 2_000, folder })
  expect(told).toBe(expected)
  expect(differences).toEqual([])
}, 120_000)
