import { describe, expect, test } from '@jest/globals'
import { createSharedRecentDecisions, shareRecentDecisions } from './shared-recent-decisions.ts'

const of = (paymentId: string, merchantRegistrationCount = 1) => ({ merchantId: 'm_1', paymentId, merchantRegistrationCount })

describe('recent decisions that threads share', () => {
  test('what one thread decided the other knows, and nothing else', () => {
    const shared = shareRecentDecisions()
    const [one, other] = [createSharedRecentDecisions(shared), createSharedRecentDecisions(shared)]
    for (let number = 0; number < 1_000; number += 1) one.add(of(`p_${number}`))
    const known = (prefix: string, registration = 1): number =>
      Array.from({ length: 1_000 }, (_, number) => other.has(of(`${prefix}_${number}`, registration))).filter(Boolean).length
    expect(known('p')).toBe(1_000)
    expect(known('q')).toBe(0)
    expect(known('p', 2)).toBe(0)
  })

  test('a second of decisions is known, and space is bounded', () => {
    const shared = shareRecentDecisions()
    const recent = createSharedRecentDecisions(shared)
    for (let number = 0; number < 50_000; number += 1) recent.add(of(`p_${number}`))
    const forgotten = Array.from({ length: 50_000 }, (_, number) => recent.has(of(`p_${number}`))).filter((isKnown) => !isKnown).length
    expect(forgotten).toBeLessThan(1_000)
    expect(shared.byteLength).toBe(1_048_576)
  })
})
