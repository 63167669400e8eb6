import { expect, test } from '@jest/globals'
import { SharedTraits } from './payment-traits.ts'
import { sampleDecision } from './sample-events.fixture.ts'

const ELIMINATION = {
  threshold: 0.05,
  latencyLimitMs: 4_000,
  halfLifeMs: 60_000,
  sampleCount: 5,
  failureRunCount: 3,
  recoveryRunCount: 2,
  ageMsMax: 600_000,
}

const decisionWith = (elimination: typeof ELIMINATION | null) =>
  sampleDecision({ elimination: elimination && { enabled: true, ...elimination } }).data

test.each(Object.keys(ELIMINATION))('a decision whose elimination has another %s has traits of its own', (name) => {
  const recent = new SharedTraits(100).recentOnes()
  const other = { ...ELIMINATION, [name]: 7 }
  expect(recent.of(decisionWith(ELIMINATION)).traits.elimination).toMatchObject(ELIMINATION)
  expect(recent.of(decisionWith(other)).traits.elimination).toMatchObject(other)
  expect(recent.of(decisionWith(null)).traits.elimination).toBeNull()
})

test('decisions that are alike share their traits, whatever order their knobs have', () => {
  const recent = new SharedTraits(100).recentOnes()
  const { threshold, ...others } = ELIMINATION
  const turned = decisionWith({ ...others, threshold })
  expect(recent.of(turned).traits).toBe(recent.of(decisionWith(ELIMINATION)).traits)
})
