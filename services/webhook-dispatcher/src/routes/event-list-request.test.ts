import { expect, test } from '@jest/globals'
import { listBodyOfQuery, parseEventList } from './event-list-request.ts'

const problemOf = (sent: unknown): unknown => {
  const parsed = parseEventList('m1', sent, Date.now())
  return parsed.ok ? undefined : parsed.reply
}

test.each([
  [[], 'body: '],
  ['text', 'body: '],
  [{ limit: -1 }, 'limit: '],
  [{ event_types: ['none'] }, 'event_types.0: '],
  [{ event_id: 'evt_1', limit: -1 }, 'limit: '],
  [{ event_id: 'evt_1', created_after: 'yesterday' }, 'created_after: '],
  [{ event_id: 'evt_1', created_before: 'tomorrow' }, 'created_before: '],
])('a filter that is wrong is told where: %j', (sent, beginning) => {
  expect(problemOf(sent)).toMatchObject({
    status: 400,
    body: { error: { code: 'IR_06', message: expect.stringMatching(`^${beginning}`) } },
  })
})

test('a time before those that can be listed is told as that, not as one out of order with a time that was not given', () => {
  const [old, recent, future] = [-100, -1, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString())
  const refusedAs = (message: string) => ({ status: 422, body: { error: { code: 'IR_06', message: expect.stringContaining(message) } } })
  expect(problemOf({ created_before: old })).toMatchObject(refusedAs('last 90 days'))
  expect(problemOf({ created_after: recent, created_before: old })).toMatchObject(refusedAs('last 90 days'))
  expect(problemOf({ created_after: future, created_before: recent })).toMatchObject(refusedAs('later than created_before'))
  expect(problemOf({ created_after: future })).toMatchObject(refusedAs('than now'))
})

test.each([{}, { event_id: 'evt_1' }, { event_id: 'evt_1', object_id: 'pay_1' }])(
  'limits and times that can not be are refused, whatever is asked for beside them: %j',
  (beside) => {
    const [old, recent, future] = [-100, -1, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString())
    for (const wrong of [
      { limit: 101 },
      { created_after: old },
      { created_before: old },
      { created_after: future, created_before: recent },
    ])
      expect(problemOf({ ...beside, ...wrong })).toMatchObject({ status: 422, body: { error: { code: 'IR_06' } } })
  },
)

test('a filter of a query that was left blank was taken for a value, an empty list of types for an unknown type', () => {
  const query = 'event_types=&event_classes=&limit=&offset=&object_id=&event_id=&profile_id=&is_delivered=&created_after=&created_before='
  expect(listBodyOfQuery(new URLSearchParams(query))).toEqual({})
  expect(listBodyOfQuery(new URLSearchParams('event_types=&event_types=refund_failed,&limit=5'))).toEqual({
    event_types: ['refund_failed'],
    limit: 5,
  })
})
