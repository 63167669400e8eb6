import { describe, expect, test } from '@jest/globals'
import type { PaymentsEvent } from '@switchyard/events'
import fc from 'fast-check'
import { PAYMENT_FOLD_LIMITS, type PaymentFoldLimits } from './limits.ts'
import { createPaymentFold, type PaymentFold } from './payment-fold.ts'
import { sampleDecision, sampleOutcome, sampleReset } from './sample-events.fixture.ts'

/** So small that every kind of forgetting happens within one run. */
const TIGHT: PaymentFoldLimits = {
  openDecisionCountMax: 9,
  openTraitsLengthMax: 2_000,
  openDecisionAgeMs: 600_000,
  recurringDecisionAgeMs: 3_000_000,
  waitingPaymentCountMax: 3,
  waitingPerPaymentMax: 2,
  waitingAgeMs: 120_000,
  experimentOpenCountMax: 4,
  experimentSuccessCountMax: 3,
  windowCountMax: 2,
  windowKeysLengthMax: 900,
  sharedTraitsCountMax: 2,
  recentEventCountMax: 4,
  pendingReportCountMax: 5,
  dueReportsPerEventMax: 2,
  uploadCountMax: 2,
  uploadLineCountMax: 12,
  uploadAgeMs: 900_000,
}

/** So quick that gateways go down and come back within one run. */
const quickElimination = {
  enabled: true,
  threshold: 0.4,
  latencyLimitMs: null,
  halfLifeMs: 60_000,
  sampleCount: 2,
  failureRunCount: 2,
  recoveryRunCount: 1,
  ageMsMax: 200_000,
}

const paymentId = fc.integer({ min: 0, max: 11 }).map((n) => `p_${n}`)
const merchantId = fc.constantFrom('m_1', 'é_2')
const gateway = fc.constantFrom('stripe', 'adyen', 'checkout', 'elsewhere')

const assignment = fc.record({
  experimentId: fc.constantFrom('e_1', 'é_2'),
  arm: fc.constantFrom('CONTROL' as const, 'VARIANT' as const),
  algorithmId: fc.constantFrom(null, 'routing_1'),
  overrides: fc.constant(null),
  exclusion: fc.constantFrom(null, null, 'NO_CANDIDATE' as const),
})

const event: fc.Arbitrary<(at: number, requestId: string) => PaymentsEvent> = fc.oneof(
  fc
    .record({
      merchantId,
      paymentId,
      paymentMethod: fc.constantFrom('CREDIT', 'DEBIT', 'UPI_PAY', 'X'.repeat(300), 'Y'.repeat(400)),
      cardIsIn: fc.constantFrom('424242', null),
      cardNetwork: fc.constantFrom('VISA', null),
      bucketSize: fc.constantFrom(1, 3, 5, 40),
      outcomeWindowMs: fc.constantFrom(300_000, null),
      adaptive: fc.boolean(),
      approach: fc.constantFrom('SR_SELECTION_V3_ROUTING', 'PRIORITY_LOGIC'),
      probe: fc.boolean(),
      elimination: fc.constantFrom(null, quickElimination, { ...quickElimination, latencyLimitMs: 100 }),
      experiment: fc.option(assignment, { freq: 2 }),
    })
    .map(({ bucketSize, outcomeWindowMs, adaptive, ...payment }) => (at: number, requestId: string): PaymentsEvent => {
      const { dimension, knobs } = sampleDecision().data
      return sampleDecision({
        ...payment,
        at,
        requestId,
        dimension: { ...dimension, paymentMethod: payment.paymentMethod },
        knobs: { ...knobs, bucketSize, outcomeWindowMs, adaptive },
      })
    }),
  fc
    .record({
      merchantId,
      paymentId,
      gateway,
      status: fc.constantFrom('CHARGED', 'FAILURE', 'PENDING', 'STARTED'),
      enforceFailure: fc.boolean(),
      excused: fc.boolean(),
      upload: fc.option(fc.record({ key: fc.constantFrom('k_1', 'k_2', 'é_3'), line: fc.integer({ min: 1, max: 9 }) })),
      gatewayLatencyMs: fc.constantFrom(null, 50, 150),
    })
    .map(
      (report) =>
        (at: number, requestId: string): PaymentsEvent =>
          sampleOutcome({ ...report, at, requestId }),
    ),
  fc.record({ merchantId }).map(
    (reset) =>
      (at: number, requestId: string): PaymentsEvent =>
        sampleReset({ ...reset, at, requestId }),
  ),
)

/** Events with a clock that mostly goes forward. */
const history: fc.Arbitrary<readonly PaymentsEvent[]> = fc
  .array(fc.tuple(event, fc.integer({ min: -20_000, max: 60_000 })), { maxLength: 120, size: 'max' })
  .map((steps) => {
    let at = 1_700_000_000_000
    return steps.map(([make, elapsedMs], index) => {
      at += elapsedMs
      return make(at, `r_${index}`)
    })
  })

const exported = (fold: PaymentFold): Readonly<Record<string, readonly number[]>> =>
  Object.fromEntries([...fold.merchantIds()].sort().map((merchant) => [merchant, [...fold.exportMerchant(merchant)]]))

const restored = (fold: PaymentFold, limits: PaymentFoldLimits): PaymentFold => {
  const copy = createPaymentFold(limits)
  for (const merchant of fold.merchantIds()) copy.importMerchant(merchant, fold.exportMerchant(merchant))
  return copy
}

describe('snapshot of a merchant', () => {
  test.each([
    ['the shipped limits', PAYMENT_FOLD_LIMITS],
    ['tight limits', TIGHT],
  ])('taken and restored at any point, nothing differs from then on (%s)', (_, limits) => {
    fc.assert(
      fc.property(history, fc.nat(120), (events, cut) => {
        const live = createPaymentFold(limits)
        const before = events.slice(0, cut)
        for (const one of before) live.apply(one)
        const copy = restored(live, limits)
        expect(exported(copy)).toEqual(exported(live))
        const after = events.slice(cut)
        expect(after.map((one) => copy.apply(one))).toEqual(after.map((one) => live.apply(one)))
        expect(exported(copy)).toEqual(exported(live))
      }),
      { numRuns: 60, endOnFailure: true },
    )
  })

  test('a replay from the first event gives the same bytes as the live fold, which was restored again and again', () => {
    fc.assert(
      fc.property(history, (events) => {
        let live = createPaymentFold(TIGHT)
        for (const one of events) {
          live.apply(one)
          live = restored(live, TIGHT)
        }
        const replayed = createPaymentFold(TIGHT)
        for (const one of events) replayed.apply(one)
        expect(exported(live)).toEqual(exported(replayed))
      }),
      { numRuns: 15, endOnFailure: true },
    )
  })

  test('a merchant has the bytes that it has alone, whatever merchants keep in common', () => {
    fc.assert(
      fc.property(history, (events) => {
        const together = createPaymentFold(TIGHT)
        for (const one of events) together.apply(one)
        for (const merchant of together.merchantIds()) {
          const alone = createPaymentFold(TIGHT)
          for (const one of events) if (one.data.merchantId === merchant) alone.apply(one)
          expect(alone.exportMerchant(merchant)).toEqual(together.exportMerchant(merchant))
        }
      }),
      { numRuns: 30, endOnFailure: true },
    )
  })

  test('scores that are asked for again and again are those of a fold that was never asked', () => {
    const { dimension } = sampleDecision().data
    const scoresOf = (fold: PaymentFold) =>
      ['CREDIT', 'DEBIT', 'UPI_PAY'].flatMap((paymentMethod) =>
        ['m_1', 'é_2'].map((merchant) =>
          fold.scoresOf({
            merchantId: merchant,
            dimension: { ...dimension, paymentMethod },
            gateways: ['stripe', 'adyen', 'checkout'],
            bucketSize: 5,
          }),
        ),
      )
    fc.assert(
      fc.property(history, (events) => {
        const asked = createPaymentFold(TIGHT)
        for (const one of events) {
          asked.apply(one)
          expect(scoresOf(asked)).toEqual(scoresOf(restored(asked, TIGHT)))
        }
      }),
      { numRuns: 15, endOnFailure: true },
    )
  })

  test('scores stay between 0 and 1 and every report has exactly one effect at its time', () => {
    fc.assert(
      fc.property(history, (events) => {
        const fold = createPaymentFold(TIGHT)
        for (const one of events) {
          const effects = fold.apply(one)?.filter((effect) => 'disposition' in effect)
          if (effects === undefined) continue // a line that was uploaded before
          const own = effects.filter(({ requestId }) => requestId === one.data.requestId)
          if (one.type === 'OutcomeRecorded') expect(own).toHaveLength(1)
          for (const { score, success, disposition } of effects) {
            const counts = disposition === 'counted' || disposition === 'corrected'
            const { value, sampleCount, bucketSize } = score ?? { value: 1, sampleCount: 0, bucketSize: 1 }
            const isSound = value >= 0 && value <= 1 && sampleCount <= bucketSize
            if (!isSound || counts !== (success !== null)) throw new Error(`unsound effect ${JSON.stringify(effects)}`)
          }
        }
      }),
      { numRuns: 30 },
    )
  })

  test('a fold that was restored goes on to forget windows and states of health where it had stopped', () => {
    const limits = { ...TIGHT, windowCountMax: 10 }
    const { dimension } = sampleDecision().data
    const eventsOf = (number: number): readonly PaymentsEvent[] => {
      const paymentMethod = `METHOD_${number}`
      const payment = { paymentId: `p_${number}`, at: number * 1_000 }
      return [
        sampleDecision({
          ...payment,
          requestId: `d_${number}`,
          dimension: { ...dimension, paymentMethod },
          paymentMethod,
          elimination: quickElimination,
        }),
        sampleOutcome({ ...payment, requestId: `o_${number}`, status: 'FAILURE' }),
      ]
    }
    const live = createPaymentFold(limits)
    let again = createPaymentFold(limits)
    const payments = Array.from({ length: 60 }, (_, number) => eventsOf(number))
    // From the reset on, when windows had been forgotten, it begins anew.
    for (const one of [...payments.slice(0, 25), [sampleReset({ at: 25_000 })], ...payments.slice(25)].flat()) {
      live.apply(one)
      again.apply(one)
      expect(exported(again)).toEqual(exported(live))
      again = restored(again, limits)
    }
    expect(live.windowCountOf('m_1')).toBe(10)
  })

  test('names that begin with a byte order mark, as the first cell of many files does, are found again', () => {
    const MARK = '\ufeff'
    const names = { paymentId: `${MARK}p_1`, gateway: `${MARK}stripe` }
    const live = createPaymentFold()
    live.apply(sampleDecision({ ...names, candidates: [names.gateway, 'adyen'] }))
    const copy = restored(live, PAYMENT_FOLD_LIMITS)
    expect(copy.hasDecision('m_1', names.paymentId)).toBe(true)
    expect(copy.apply(sampleOutcome(names))).toMatchObject([{ disposition: 'counted' }])
  })

  test('what was folded under other limits is refused', () => {
    const fold = createPaymentFold(TIGHT)
    fold.apply(sampleDecision())
    const bytes = fold.exportMerchant('m_1')
    const other = createPaymentFold({ ...TIGHT, waitingAgeMs: TIGHT.waitingAgeMs + 1 })
    expect(() => other.importMerchant('m_1', bytes)).toThrow(expect.objectContaining({ code: 'RECORD_UNREADABLE' }))
    expect([...other.merchantIds()]).toEqual([])
  })

  test('bytes of another version or half of them are refused', () => {
    const fold = createPaymentFold()
    fold.apply(sampleDecision())
    const bytes = fold.exportMerchant('m_1')
    expect(() => fold.importMerchant('m_1', bytes.slice(0, -1))).toThrow(expect.objectContaining({ code: 'RECORD_UNREADABLE' }))
    expect(() => fold.importMerchant('m_1', Uint8Array.of(99))).toThrow(expect.objectContaining({ code: 'RECORD_UNREADABLE' }))
    expect(fold.exportMerchant('m_1')).toEqual(bytes)
  })
})
