import { expect, test } from '@jest/globals'
import { deliveriesTable } from './table.mjs'

test('each endpoint has its deliveries beside what it saw', () => {
  const row = (profile: string, isDelivered: boolean | null) => ({ profile, isDelivered })
  const rows = [row('well', true), row('well', true), row('failing', false), row('failing', null)]
  const states = [
    { profile: 'well', received: 2, doing: 'takes events' },
    { profile: 'failing', received: 7, doing: 'answers 503' },
  ]
  expect(deliveriesTable(rows, states, 3.4).split('\n')).toEqual([
    '3 s',
    'endpoint  events  delivered  failed yet  under way  requests seen  receiver now',
    'well      2       2          0           0          2              takes events',
    'failing   2       0          1           1          7              answers 503',
  ])
})
