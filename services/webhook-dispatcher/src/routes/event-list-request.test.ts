import { expect, test } from '@jest/globals'
import { parseEventList } from './event-list-request.ts'

const problemOf = (sent: unknown): unknown => {
  const parsed = parseEventList('m1', sent, Date.now())
  return parsed.ok ? undefined : parsed.reply
}

test.each([
  [[], 'body: '],
  ['text', 'body: '],
  [{ limit: -1 }, 'limit: '],
  [{ event_types: ['none'] }, 'event_types.0: '],
])('a filter that is wrong is told where: %j', (sent, beginning) => {
  expect(problemOf(sent)).toMatchObject({
    status: 400,
    body: { error: { code: 'IR_06', message: expect.stringMatching(`^${beginning}`) } },
  })
})
