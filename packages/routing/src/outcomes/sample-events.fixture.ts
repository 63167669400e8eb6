import type { GatewayDecided, GatewayScoresReset, OutcomeRecorded } from '@switchyard/events'
import { sampleGatewayDecided, sampleOutcomeRecorded } from '@switchyard/testing'

/** A decision for tests, made at epoch millisecond 0 with windows of 5. */
export const sampleDecision = (changes: Partial<GatewayDecided['data']> = {}): GatewayDecided =>
  sampleGatewayDecided({
    knobs: {
      bucketSize: 5,
      hedgingPercent: 5,
      latencyThresholdMs: 90_000,
      outcomeWindowMs: 1_800_000,
      adaptive: false,
      extraScores: [],
      sources: null,
    },
    ...changes,
  })

/** A report for tests: stripe charged payment p_1 a second after its decision. */
export const sampleOutcome = (changes: Partial<OutcomeRecorded['data']> = {}): OutcomeRecorded => sampleOutcomeRecorded(changes)

/** A reset for tests. */
export const sampleReset = (changes: Partial<GatewayScoresReset['data']> = {}): GatewayScoresReset => ({
  type: 'GatewayScoresReset',
  data: { merchantId: 'm_1', requestId: 'r_reset', at: 2_000, cause: 'REQUESTED', merchantRegistrationCount: 0, ...changes },
})
