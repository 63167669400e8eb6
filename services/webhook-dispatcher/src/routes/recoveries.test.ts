import { expect, test } from '@jest/globals'
import { ORIGIN } from '../sample-dispatcher.fixture.ts'
import { parseRecovery } from './recoveries.ts'

const NOW = Date.parse('2026-01-05T10:00:00.000Z')
const answerTo = (since: string, until?: string): unknown => {
  const parsed = parseRecovery({ merchantId: 'm1', origin: ORIGIN }, { since, until }, NOW)
  return parsed.ok ? [parsed.wish.sinceAt, parsed.wish.untilAt] : parsed.reply.body
}
const refused = (message: string) => ({ error: { type: 'invalid_request', code: 'IR_06', message: expect.stringContaining(message) } })

test('the span of a recovery reaches up to 14 days, and into the time to come', () => {
  expect(answerTo('2026-01-05T10:00:00Z')).toEqual([NOW, NOW])
  expect(answerTo('2026-01-05T10:00:00Z', '2026-01-19T10:00:00Z')).toEqual([NOW, NOW + 14 * 86_400_000])
  expect(answerTo('2026-01-05T10:00:00Z', '2026-01-19T10:00:00.001Z')).toEqual(refused('14 days'))
})

test.each([
  ['2026-01-05T10:00:00.001Z', undefined],
  ['2026-01-05T10:00:00.001Z', '2026-01-06T10:00:00Z'],
])('a span that begins in the future is refused, with and without an end: from %s to %s', (since, until) => {
  expect(answerTo(since, until)).toEqual(refused('since must not be later'))
})

test('times whose year in UTC has no four digits are refused', () => {
  expect(answerTo('0000-01-01T00:00:00+14:00', '0000-01-02T00:00:00Z')).toEqual(refused('0000 to 9999'))
  expect(answerTo('9999-12-31T23:00:00-14:00', '9999-12-31T23:30:00-14:00')).toEqual(refused('0000 to 9999'))
})
