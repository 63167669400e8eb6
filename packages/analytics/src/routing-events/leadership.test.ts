import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { LEADER_GATEWAYS_MAX } from '../limits.ts'
import { type Flip, type Leadership, ledAfter, NO_LEADERSHIP, SCORE_AGE_MAX_MS, type SeenScore } from './leadership.ts'

const seen = (gateway: string, score: number, change: Partial<SeenScore> = {}): SeenScore => ({
  gateway,
  score,
  sampleCount: 20,
  at: 1_000,
  ...change,
})

const after = (...scores: readonly SeenScore[]): { readonly state: Leadership; readonly flips: readonly Flip[] } => {
  const flips: Flip[] = []
  let state = NO_LEADERSHIP
  for (const score of scores) {
    const { next, flip } = ledAfter(state, score)
    state = next
    if (flip !== null) flips.push(flip)
  }
  return { state, flips }
}

describe('leadership (analytics.md 5.3)', () => {
  test('the first leader is no change', () => {
    expect(after(seen('adyen', 0.9))).toMatchObject({ state: { leader: 'adyen' }, flips: [] })
  })

  test.each([
    [0.899, []],
    [0.9, []],
    [0.901, [{ previous: 'adyen', previousScore: 0.89, best: seen('stripe', 0.901) }]],
  ])('a challenger of %d against 0.89', (score, flips) => {
    expect(after(seen('adyen', 0.89), seen('stripe', score)).flips).toEqual(flips)
  })

  test('a gateway with few outcomes does not lead', () => {
    expect(after(seen('adyen', 0.5), seen('stripe', 1, { sampleCount: 9 })).state.leader).toBe('adyen')
    expect(after(seen('adyen', 0.5), seen('stripe', 1, { sampleCount: 10 })).state.leader).toBe('stripe')
  })

  test('a leader that was not heard of for too long goes to whoever is there', () => {
    const late = { at: 1_001 + SCORE_AGE_MAX_MS }
    expect(after(seen('adyen', 0.9), seen('stripe', 0.2, late)).flips).toEqual([
      { previous: 'adyen', previousScore: null, best: seen('stripe', 0.2, late) },
    ])
    expect(after(seen('adyen', 0.9), seen('stripe', 0.2, { at: 1_000 + SCORE_AGE_MAX_MS })).flips).toEqual([])
  })

  test('of equals the first by name is the better one', () => {
    const gone = seen('adyen', 0.9)
    const late = { at: 5_000_000 }
    const { state } = after(gone, seen('y', 0.5, { ...late, sampleCount: 1 }), seen('x', 0.5, late), seen('y', 0.5, late))
    expect(state.leader).toBe('x')
  })

  test('a leader that swings within the margin stays', () => {
    const swings = Array.from({ length: 50 }, (_, i) => seen(i % 2 === 0 ? 'adyen' : 'stripe', 0.9 + (i % 4) * 0.002))
    expect(after(...swings).flips).toEqual([])
  })

  test('the gateways remembered are bounded', () => {
    const many = Array.from({ length: 80 }, (_, i) => seen(`g${i}`, 0.5, { at: i }))
    expect(after(...many).state.scores).toHaveLength(LEADER_GATEWAYS_MAX)
  })

  test('a flip names the leader before and behind it, and goes upwards by more than the margin', () => {
    const score = fc.record({ gateway: fc.constantFrom('a', 'b', 'c'), score: fc.double({ min: 0, max: 1, noNaN: true }) })
    fc.assert(
      fc.property(fc.array(score, { maxLength: 40 }), (scores) => {
        let state = NO_LEADERSHIP
        for (const { gateway, score: value } of scores) {
          const { next, flip } = ledAfter(state, seen(gateway, value))
          if (flip !== null) {
            expect([flip.previous, flip.best.gateway]).toEqual([state.leader, next.leader])
            expect(flip.best.score).toBeGreaterThan((flip.previousScore ?? 2) + 0.01)
          } else if (state.leader !== null) expect(next.leader).toBe(state.leader)
          state = next
        }
      }),
    )
  })
})
