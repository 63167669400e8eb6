import { describe, expect, test } from '@jest/globals'
import { createRecentDecisions } from './recent-decisions.ts'

const of = (merchantId: string, paymentId: string, merchantRegistrationCount = 1) => ({ merchantId, paymentId, merchantRegistrationCount })

describe('recent decisions', () => {
  test('the newest are known, older ones are forgotten', () => {
    const recent = createRecentDecisions(2)
    for (const payment of ['p_1', 'p_2', 'p_3', 'p_4', 'p_5']) recent.add(of('m_1', payment))
    expect(['p_1', 'p_2', 'p_3', 'p_4', 'p_5'].map((payment) => recent.has(of('m_1', payment)))).toEqual([false, false, true, true, true])
  })

  test('merchants do not run into each other', () => {
    const recent = createRecentDecisions(2)
    recent.add(of('m_1', '2p'))
    expect(recent.has(of('m_12', 'p'))).toBe(false)
    expect(recent.has(of('m_1', '2p'))).toBe(true)
  })

  test('a merchant that came back under its id has decided nothing', () => {
    const recent = createRecentDecisions(2)
    recent.add(of('m_1', 'p', 1))
    expect(recent.has(of('m_1', 'p', 2))).toBe(false)
  })
})
