import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { given, limitedTo, scores } from './given-payments.fixture.ts'
import type { PaymentFold } from './payment-fold.ts'
import { PendingReports } from './pending-reports.ts'
import { sampleDecision as decided, sampleOutcome as reported, sampleReset as reset } from './sample-events.fixture.ts'

describe('failures that say nothing about the gateway', () => {
  const excused = reported({ status: 'FAILURE', excused: true })

  test('count in no window', () => {
    const { effects, fold } = given(decided()).when(excused)
    expect(effects).toMatchObject([{ disposition: 'excused', success: null, score: null }])
    expect(scores(fold)).toEqual([1, 1, 1])
  })

  test('a success is never dropped by the filter', () => {
    expect(given(decided()).when(reported({ excused: true })).effects).toMatchObject([{ disposition: 'counted', success: true }])
    expect(given(decided(), excused).when(reported()).effects).toMatchObject([{ disposition: 'counted', success: true }])
  })

  test('a pending report that is too old fails, and is excused, too', () => {
    const { effects } = given(decided()).when(reported({ status: 'PENDING', at: 90_000, excused: true }))
    expect(effects).toMatchObject([{ disposition: 'excused' }])
  })

  test('what counted before stays', () => {
    expect(given(decided(), reported()).when(excused).effects).toMatchObject([{ disposition: 'conflicting' }])
    expect(given(decided(), reported({ status: 'DECLINED' })).when(excused).effects).toMatchObject([{ disposition: 'repeated' }])
  })

  test('end the waiting of pending reports, those that come later too: a payment that is over does not fail by its age', () => {
    const T = decided().data.knobs.latencyThresholdMs
    const pending = reported({ requestId: 'r_1', status: 'STARTED' })
    const due = decided({ paymentId: 'p_2', at: 2 * T })
    for (const past of [
      [decided(), pending, excused],
      [decided(), excused, pending],
      [decided(), pending, excused, decided({ requestId: 'r_9', at: 2_000 })],
      [pending, excused, decided()],
    ]) {
      const { effects, fold } = given(...past).when(due)
      expect([effects, scores(fold)]).toEqual([[], [1, 1, 1]])
    }
    const old = given(decided(), excused).when(reported({ status: 'PENDING_VBV', at: T }))
    expect([old.effects[0]?.disposition, scores(old.fold)]).toEqual(['repeated', [1, 1, 1]])
  })

  test('that are told again are repeats, however late: no second result of the payment', () => {
    const again = { status: 'AUTHORIZATION_FAILED', excused: true }
    for (const at of [2_000, 100 * 60_000]) {
      expect(given(decided(), excused).when(reported({ ...again, at })).effects).toMatchObject([{ disposition: 'repeated' }])
    }
    const paid = given(decided(), excused, reported({ requestId: 'r_3' })).when(reported(again))
    expect(paid.effects).toMatchObject([{ disposition: 'repeated' }])
    const retried = given(decided(), excused, decided({ requestId: 'r_9', at: 2_000 })).when(reported({ ...again, at: 3_000 }))
    expect(retried.effects).toMatchObject([{ disposition: 'excused' }])
  })

  test('the same attempt may fail again for a reason that counts, and elsewhere by its age', () => {
    const failed = given(decided(), excused).when(reported({ status: 'DECLINED' }))
    expect(failed.effects).toMatchObject([{ disposition: 'counted', success: false }])
    const elsewhere = reported({ requestId: 'r_3', gateway: 'adyen', status: 'STARTED' })
    const due = given(decided(), excused, elsewhere).when(decided({ paymentId: 'p_2', at: 90_000 }))
    expect(due.effects).toMatchObject([{ gateway: 'adyen', disposition: 'counted', success: false }])
    const again = [decided({ requestId: 'r_9', at: 2_000 }), reported({ requestId: 'r_3', status: 'STARTED', at: 3_000 })]
    const hung = given(decided(), excused, ...again).when(decided({ paymentId: 'p_2', at: 92_000 }))
    expect(hung.effects).toMatchObject([{ gateway: 'stripe', disposition: 'counted', success: false }])
  })

  test('the mark waits with its report', () => {
    expect(given(excused).when(decided()).effects).toMatchObject([{ disposition: 'excused' }])
  })
})

describe('pending reports', () => {
  const started = reported({ status: 'STARTED' })
  const T = decided().data.knobs.latencyThresholdMs

  test('become failures when event time reaches the threshold and nothing else was heard', () => {
    const { effects, fold } = given(decided(), started).when(decided({ paymentId: 'p_2', at: T }))
    expect(effects).toMatchObject([
      { paymentId: 'p_1', requestId: 'r_2', status: 'STARTED', disposition: 'counted', success: false, at: T, score: { value: 0.8 } },
    ])
    expect(scores(fold)).toEqual([0.8, 1, 1])
  })

  test('stay pending until then', () => {
    const { effects, fold } = given(decided(), started).when(decided({ paymentId: 'p_2', at: T - 1 }))
    expect(effects).toEqual([])
    expect(scores(fold)).toEqual([1, 1, 1])
  })

  test.each(['CHARGED', 'FAILURE'])('are settled by %s, whenever it comes', (status) => {
    const score = status === 'CHARGED' ? 1 : 0.8
    const before = given(decided(), started, reported({ status, at: T - 1 })).when(decided({ paymentId: 'p_2', at: T }))
    expect([before.effects, scores(before.fold, ['stripe'])]).toEqual([[], [score]])
    const after = given(decided(), started, decided({ paymentId: 'p_2', at: T })).when(reported({ status, at: T + 1 }))
    expect(after.effects).toMatchObject([{ disposition: status === 'CHARGED' ? 'corrected' : 'confirmed' }])
    expect(scores(after.fold, ['stripe'])).toEqual([score])
  })

  test('are confirmed by a failure once, however late; by another open status never', () => {
    const due = [decided(), started, decided({ paymentId: 'p_2', at: T })]
    const failed = reported({ status: 'FAILURE', at: 100 * T })
    const confirmed = given(...due, reported({ status: 'PENDING_VBV', at: 2 * T })).when(failed)
    expect(confirmed.effects).toMatchObject([{ disposition: 'confirmed', success: null, score: null }])
    expect(scores(confirmed.fold, ['stripe'])).toEqual([0.8])
    expect(given(...due, failed).when(reported({ status: 'DECLINED', at: 101 * T })).effects).toMatchObject([{ disposition: 'repeated' }])
    expect(given(...due).when(reported({ status: 'PENDING_VBV', at: 2 * T })).effects).toMatchObject([{ disposition: 'repeated' }])
  })

  test('of one payment count once, of an earlier attempt not by its clock, and of an earlier epoch not at all', () => {
    const later = decided({ paymentId: 'p_2', at: T })
    expect(given(decided(), started, reported({ status: 'PENDING', at: 2_000 })).when(later).effects).toHaveLength(1)
    expect(given(decided(), started, decided({ requestId: 'r_9', at: 5_000 })).when(later).effects).toEqual([])
    expect(given(decided(), started, reset()).when(later).effects).toEqual([])
  })

  test('of a payment that is decided again become failures when the newer decision reaches the threshold', () => {
    const again = [decided(), started, decided({ requestId: 'r_9', at: 5_000 }), reported({ gateway: 'adyen', at: 6_000 })]
    const untilThen = decided({ paymentId: 'p_2', at: T })
    expect(given(...again, untilThen).when(decided({ paymentId: 'p_3', at: 5_000 + T - 1 })).effects).toEqual([])
    const { effects, fold } = given(...again, untilThen).when(decided({ paymentId: 'p_3', at: 5_000 + T }))
    expect(effects).toMatchObject([{ requestId: 'r_2', gateway: 'stripe', disposition: 'counted', success: false, at: 5_000 + T }])
    expect(scores(fold)).toEqual([0.8, 1, 1])
    const settled = given(...again, untilThen, reported({ at: 5_000 + T - 1 })).when(decided({ paymentId: 'p_3', at: 5_000 + T }))
    expect([settled.effects, scores(settled.fold)]).toEqual([[], [1, 1, 1]])
  })

  test('that are excused say so', () => {
    const { effects } = given(decided(), reported({ status: 'PENDING', excused: true })).when(decided({ paymentId: 'p_2', at: T }))
    expect(effects).toMatchObject([{ paymentId: 'p_1', disposition: 'excused' }])
  })

  test('are bounded, in all and for each event', () => {
    const limits = limitedTo({ pendingReportCountMax: 3, dueReportsPerEventMax: 2 })
    const past = [1, 2, 3, 4].flatMap((n) => [
      decided({ paymentId: `p_${n}`, at: n }),
      reported({ paymentId: `p_${n}`, status: 'STARTED' }),
    ])
    const { effects, fold } = given(...past).when(decided({ paymentId: 'p_8', at: T + 9 }), limits)
    expect(effects.map(({ paymentId }) => paymentId)).toEqual(['p_1', 'p_2'])
    expect(fold.apply(decided({ paymentId: 'p_9', at: T + 9 }))?.map(({ paymentId }) => paymentId)).toEqual(['p_3'])
  })

  test('come due in the order of their thresholds', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 40 }), (dueTimes) => {
        const pending = new PendingReports(100)
        for (const [index, dueAt] of dueTimes.entries())
          pending.add({ dueAt, paymentId: `p_${index}`, requestId: 'r', gateway: 'g', status: 's', excused: false })
        const taken: number[] = []
        for (let due = pending.takeDue(50); due !== undefined; due = pending.takeDue(50)) taken.push(due.dueAt)
        expect(taken).toEqual(dueTimes.toSorted((a, b) => a - b))
      }),
    )
  })
})

describe('a reset', () => {
  test('forgets the windows, and outcomes of what was decided before count in no later one', () => {
    const past = [decided(), reported({ status: 'FAILURE' }), decided({ paymentId: 'p_2' }), reset()]
    const { effects, fold } = given(...past).when(reported({ paymentId: 'p_2', status: 'FAILURE', at: 3_000 }))
    expect(effects).toMatchObject([{ disposition: 'reset', success: null, score: null, payment: { paymentMethod: 'CREDIT' } }])
    expect(scores(fold)).toEqual([1, 1, 1])
    expect(fold.windowCountOf('m_1')).toBe(0)
  })

  test('a success after it corrects nothing', () => {
    const again = [decided({ paymentId: 'p_2', at: 3_000 }), reported({ paymentId: 'p_2', status: 'FAILURE', at: 4_000 })]
    const { effects, fold } = given(decided(), reported({ status: 'FAILURE' }), reset(), ...again).when(reported({ at: 5_000 }))
    expect(effects).toMatchObject([{ disposition: 'reset' }])
    expect(scores(fold, ['stripe'])).toEqual([0.8])
  })

  test('a payment that is decided again after it counts anew', () => {
    const past = [decided(), reported({ status: 'FAILURE' }), reset(), decided({ requestId: 'r_5', at: 3_000 })]
    const { effects, fold } = given(...past).when(reported({ status: 'FAILURE', at: 4_000 }))
    expect(effects).toMatchObject([{ disposition: 'counted', success: false, score: { value: 0.8, sampleCount: 1 } }])
    expect(scores(fold, ['stripe'])).toEqual([0.8])
  })

  test('ends the waiting of pending reports: they are of decisions before it, also when their payment is decided again', () => {
    const T = decided().data.knobs.latencyThresholdMs
    const again = [reset(), decided({ requestId: 'r_5', at: 3_000 })]
    const due = decided({ paymentId: 'p_2', at: 3_000 + T })
    const { effects, fold } = given(decided(), reported({ status: 'STARTED' }), ...again).when(due)
    expect([effects, scores(fold)]).toEqual([[], [1, 1, 1]])
    const later = given(decided(), ...again, reported({ requestId: 'r_6', status: 'STARTED', at: 4_000 })).when(due)
    expect(later.effects).toMatchObject([{ requestId: 'r_6', disposition: 'counted', success: false }])
  })

  test('belongs to its merchant alone', () => {
    const { fold } = given(decided(), reported({ status: 'FAILURE' })).when(reset({ merchantId: 'm_1_eu' }))
    expect(scores(fold, ['stripe'])).toEqual([0.8])
    expect(fold.windowCountOf('m_1')).toBe(1)
  })
})

describe('lines of an upload', () => {
  const line = (number: number, changes: object = {}, key = 'upload_1') =>
    reported({ requestId: `r_${Math.random()}`, paymentId: `p_${number}`, status: 'FAILURE', upload: { key, line: number }, ...changes })
  const known = (fold: PaymentFold, number: number, changes: object = {}, key = 'upload_1') =>
    fold.uploadedLine({
      merchantId: 'm_1',
      paymentId: `p_${number}`,
      gateway: 'stripe',
      status: 'FAILURE',
      enforceFailure: false,
      upload: { key, line: number },
      ...changes,
    })

  test('that were sent again are copies, whenever and in whatever order they come', () => {
    const { fold } = given(line(1), line(3)).when(line(2))
    expect([line(3), line(1), line(2, { at: 77_000 })].map((event) => fold.apply(event))).toEqual([undefined, undefined, undefined])
    expect([1, 2, 3, 4].map((number) => known(fold, number))).toEqual(['same', 'same', 'same', 'unknown'])
    expect(known(fold, 1, {}, 'upload_2')).toBe('unknown')
  })

  test('a line that says something else is no copy', () => {
    const { fold, effects } = given(decided(), line(1)).when(line(1, { paymentId: 'p_1', status: 'CHARGED' }))
    expect(effects).toMatchObject([{ disposition: 'corrected' }])
    expect(known(fold, 1)).toBe('other')
  })

  test('two of one moment that count differently are no copies of each other', () => {
    const of = (number: number, changes: object) => line(number, { requestId: 'r_up', paymentId: 'p_1', ...changes })
    const enforced = { status: 'PENDING', enforceFailure: true }
    const late = given(decided(), of(1, { status: 'PENDING' })).when(of(2, enforced))
    expect(late.effects).toMatchObject([{ disposition: 'counted', success: false }])
    expect([known(late.fold, 2, { paymentId: 'p_1', ...enforced }), known(late.fold, 2, { paymentId: 'p_1', status: 'PENDING' })]).toEqual([
      'same',
      'other',
    ])
    const { effects } = given(decided(), of(1, { excused: true })).when(of(2, { excused: false }))
    expect(effects).toMatchObject([{ disposition: 'counted', success: false }])
  })

  test('the oldest uploads are forgotten by count, by lines and by event time', () => {
    const limits = limitedTo({ uploadCountMax: 2, uploadLineCountMax: 10, uploadAgeMs: 60_000 })
    const byCount = given(line(1, {}, 'a'), line(1, {}, 'b')).when(line(1, {}, 'c'), limits).fold
    expect(['a', 'b', 'c'].map((key) => known(byCount, 1, {}, key))).toEqual(['unknown', 'same', 'same'])
    const byLines = given(line(1, {}, 'a')).when(line(10, {}, 'b'), limits).fold
    expect([known(byLines, 1, {}, 'a'), known(byLines, 10, {}, 'b')]).toEqual(['unknown', 'same'])
    const byAge = given(line(1, {}, 'a')).when(line(2, { at: 61_001 }, 'b'), limits).fold
    expect([known(byAge, 1, {}, 'a'), known(byAge, 2, {}, 'b')]).toEqual(['unknown', 'same'])
  })
})
