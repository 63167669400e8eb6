import { expect, test } from '@jest/globals'
import type { PaymentsEvent } from '@switchyard/events'
import fc from 'fast-check'
import { createPaymentFold } from './payment-fold.ts'
import { sampleDecision, sampleOutcome } from './sample-events.fixture.ts'

const { dimension, knobs } = sampleDecision().data
const BEGINNING = 1_700_000_000_000
/** So long that no outcome leaves them: then their order means nothing. */
const BUCKET_SIZE = 1_000
/** How much later than another one an event may come to stand in the log; less than reports wait for their decision. */
const DELAY_MS_MAX = 60_000

const report = fc.record({
  afterMs: fc.integer({ min: -2_000, max: 2_000_000 }),
  gateway: fc.constantFrom('stripe', 'adyen', 'elsewhere'),
  status: fc.constantFrom('CHARGED', 'FAILURE', 'PENDING'),
  enforceFailure: fc.constantFrom(false, false, true),
  delayMs: fc.nat(DELAY_MS_MAX),
})
const payment = fc.record({
  at: fc.integer({ min: BEGINNING, max: BEGINNING + 400_000 }),
  latencyThresholdMs: fc.constantFrom(0, 30_000, 90_000),
  algorithmId: fc.constantFrom(undefined, null, 'routing_1'),
  delayMs: fc.nat(DELAY_MS_MAX),
  reports: fc.array(report, { maxLength: 4 }),
})

/** An event, and when it comes to stand in the log. */
interface Delayed {
  readonly event: PaymentsEvent
  readonly loggedAt: number
}

const eventsOf = (payments: readonly (typeof payment extends fc.Arbitrary<infer Payment> ? Payment : never)[]): readonly Delayed[] =>
  payments.flatMap(({ at, latencyThresholdMs, algorithmId, delayMs, reports }, number) => {
    const paymentId = `p_${number}`
    const assigned = { experimentId: 'e_1', arm: 'CONTROL', overrides: null, exclusion: null } as const
    const decision = sampleDecision({
      paymentId,
      requestId: `d_${number}`,
      at,
      knobs: { ...knobs, bucketSize: BUCKET_SIZE, latencyThresholdMs },
      experiment: algorithmId === undefined ? null : { ...assigned, algorithmId },
    })
    const outcomes = reports.map(({ afterMs, delayMs: later, ...said }, index) => {
      const event = sampleOutcome({ ...said, paymentId, requestId: `o_${number}_${index}`, at: at + afterMs })
      return { event, loggedAt: at + afterMs + later }
    })
    return [{ event: decision, loggedAt: at + delayMs }, ...outcomes]
  })

/** Scores, and how payments stand in their experiment, long after the last event. */
const learned = (events: readonly PaymentsEvent[]): object => {
  const fold = createPaymentFold()
  const standings: Record<string, string> = {}
  const end = sampleDecision({ paymentId: 'p_end', requestId: 'd_end', at: BEGINNING + 10_000_000 })
  for (const event of [...events, end]) {
    for (const effect of fold.apply(event) ?? []) if ('standing' in effect) standings[effect.paymentId] = effect.standing
  }
  const scores = fold.scoresOf({ merchantId: 'm_1', dimension, gateways: ['stripe', 'adyen'], bucketSize: BUCKET_SIZE })
  return { scores, standings }
}

test('what several processes record is learned alike, in whatever order it comes to stand in the log', () => {
  fc.assert(
    fc.property(fc.array(payment, { minLength: 1, maxLength: 6 }), (payments) => {
      const delayed = eventsOf(payments)
      const byTime = delayed.toSorted((one, other) => one.event.data.at - other.event.data.at)
      const byLog = delayed.toSorted((one, other) => one.loggedAt - other.loggedAt)
      expect(learned(byLog.map(({ event }) => event))).toEqual(learned(byTime.map(({ event }) => event)))
    }),
    { numRuns: 300 },
  )
})
