import { expect, test } from '@jest/globals'
import { parseTime } from './parse-time.ts'

const NOW = Date.parse('2026-11-21T12:00:00Z')

test.each([
  ['90s', '2026-11-21T11:58:30Z'],
  ['15m', '2026-11-21T11:45:00Z'],
  ['2h', '2026-11-21T10:00:00Z'],
  ['7d', '2026-11-14T12:00:00Z'],
  ['2026-11-20', '2026-11-20T00:00:00Z'],
  ['2026-11-20T10:30Z', '2026-11-20T10:30:00Z'],
  ['2026-11-20T10:30:15.250+02:00', '2026-11-20T08:30:15.250Z'],
])('%s', (text, expected) => {
  expect(parseTime(text, NOW)).toBe(Date.parse(expected))
})

test.each(['', '2', 'h', '-2h', '2w', '1.5h', 'yesterday', '2026-13-01', '2026-11-20T10:30', '20.11.2026'])('%j is none', (text) => {
  expect(parseTime(text, NOW)).toBeUndefined()
})

test.each(['2026-02-29', '2026-02-30', '2026-11-31T10:30Z', '2026-04-31T00:00:00+02:00'])('%s is no day of the calendar', (text) => {
  expect(parseTime(text, NOW)).toBeUndefined()
})
