import { expect, test } from '@jest/globals'
import { submissionBody } from './submission-body.ts'

const isTaken = (occurredAt: string): boolean =>
  submissionBody.safeParse({ event_type: 'payment_succeeded', object_id: 'pay_1', content: {}, occurred_at: occurredAt }).success

test.each([
  ['0000-01-01T00:00:00Z', true],
  ['0000-01-01T00:00:00+14:00', false],
  ['9999-12-31T23:59:59.999Z', true],
  ['9999-12-31T23:59:59-14:00', false],
])('a time of an event whose year in UTC has no four digits is refused: %s', (occurredAt, taken) => {
  expect(isTaken(occurredAt)).toBe(taken)
})
