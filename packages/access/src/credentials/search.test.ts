import { describe, expect, test } from '@jest/globals'
import { findMerchants, type SearchedPeople } from './search.ts'

const people: SearchedPeople = {
  merchantIds: new Set(['m_1', 'm_2', 'm_3', ...Array.from({ length: 40 }, (_, i) => `shop_${i}`)]),
  emails: new Map([
    ['u1', 'ann@blue.test'],
    ['u2', 'bob@red.test'],
    ['u3', 'zo\u00e9@green.test'],
  ]),
  nameOf: (id) => ({ m_1: 'Blue 100%', m_2: 'Red', shop_0: 'Cafe\u0301 Noir' })[id] ?? (id.startsWith('shop_') ? `Shop ${id}` : id),
  membershipsOf: (userId) => [{ merchantId: userId === 'u1' ? 'm_1' : 'm_3', role: 'ADMIN', merchantRegistrationCount: 1 }],
  membersOf: (merchantId) => (merchantId === 'm_3' ? [{ userId: 'u2', email: 'bob@red.test', role: 'ADMIN' }] : []),
}
const idsOf = (query: string): readonly string[] => findMerchants(query, people).map(({ merchantId }) => merchantId)

describe('looking for merchants', () => {
  test.each([
    ['a name, in any case', 'BLUE', ['m_1']],
    ['a name before addresses', 'red', ['m_2', 'm_3']],
    ['an exact id', ' m_3 ', ['m_3']],
    ['no part of an id', 'm_', []],
    ['an address', 'ann@', ['m_1']],
    ['no wildcard', '%%', []],
    ['a percent sign that is one', '0%', ['m_1']],
    ['an address whose accents are typed apart', 'ZOE\u0301@', ['m_3']],
    ['a name whose accents are written apart', 'caf\u00c9', ['shop_0']],
    ['a text that is too short', 'r', []],
    ['nothing', '', []],
  ])('finds %s', (_name, query, ids) => {
    expect(idsOf(query)).toEqual(ids)
  })
  test('tells of every member', () => {
    expect(findMerchants('m_3', people)).toEqual([
      { merchantId: 'm_3', name: 'm_3', members: [{ userId: 'u2', email: 'bob@red.test', role: 'ADMIN' }] },
    ])
  })
  test('gives 25 at most', () => {
    expect(idsOf('shop')).toHaveLength(25)
  })
})
