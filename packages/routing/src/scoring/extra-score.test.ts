import { expect, test } from '@jest/globals'
import { sampleDecision } from '../outcomes/sample-events.fixture.ts'
import { boostedScore } from './extra-score.ts'

const knobs = (factor: number, bucketSize = 125) => ({
  ...sampleDecision().data.knobs,
  bucketSize,
  extraScores: [{ gatewayName: 'adyen', gatewaySigmaFactor: factor }],
})

test.each([
  // The worked number of decide.md 5.6.
  ['the example of the sheet', 0.9, 'adyen', knobs(2), 0.95367],
  ['a handicap', 0.9, 'adyen', knobs(-2), 0.84633],
  ['never above one', 0.99, 'adyen', knobs(9, 10), 1],
  ['never below zero', 0.1, 'adyen', knobs(-9, 10), 0],
  ['nothing to spread at one', 1, 'adyen', knobs(3), 1],
  ['another gateway', 0.9, 'stripe', knobs(2), 0.9],
  ['a factor of zero', 0.9, 'adyen', knobs(0), 0.9],
])('%s', (_, score, gateway, settings, expected) => {
  expect(boostedScore(score, gateway, settings)).toBeCloseTo(expected, 5)
})
