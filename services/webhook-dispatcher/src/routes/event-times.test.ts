import { expect, test } from '@jest/globals'
import type * as z from 'zod'
import { eventTime, listTime } from './event-times.ts'

const AT = Date.parse('2026-11-20T10:00:00Z')
const read = (schema: z.ZodType<number>, text: string): number | undefined => schema.safeParse(text).data

test.each([
  '2026-11-20T10:00Z',
  '2026-11-20T11:00+01:00',
  '2026-11-20T11:00:00+0100',
  '2026-11-20T11:00:00.000+01',
  '2026-11-20T06:30-0330',
])('ISO 8601 without seconds, or with an offset as other languages print it, was refused: %s', (text) => {
  expect([read(eventTime, text), read(listTime, text)]).toEqual([AT, AT])
})

test('a time without an offset is UTC in a list, and none elsewhere', () => {
  for (const text of ['2026-11-20T10:00', '2026-11-20T10:00:00'])
    expect([read(eventTime, text), read(listTime, text)]).toEqual([undefined, AT])
})

test.each([
  '2026-11-20',
  '2026-11-20T10Z',
  '2026-11-20T1000Z',
  '2026-11-20T10:00:00+1',
  '2026-11-20T10:00:00+25',
  `2026-11-20T10:00:00.${'0'.repeat(99)}Z`,
])('what is no such time is refused: %s', (text) => {
  expect([read(eventTime, text), read(listTime, text)]).toEqual([undefined, undefined])
})
