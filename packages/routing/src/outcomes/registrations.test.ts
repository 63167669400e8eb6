import { beforeEach, describe, expect, test } from '@jest/globals'
import { createPaymentFold, type PaymentFold } from './payment-fold.ts'
import { sampleDecision, sampleOutcome, sampleReset } from './sample-events.fixture.ts'

const { dimension } = sampleDecision().data

describe('payments of a merchant id that was registered again', () => {
  let fold: PaymentFold
  beforeEach(() => {
    fold = createPaymentFold()
  })
  const score = (): number | undefined =>
    dimension === null ? undefined : fold.scoresOf({ merchantId: 'm_1', dimension, gateways: ['stripe'], bucketSize: 5 })[0]
  const decide = (merchantRegistrationCount: number, paymentId = 'p_1', at = 0) =>
    fold.apply(sampleDecision({ merchantRegistrationCount, paymentId, at, requestId: `d_${paymentId}_${merchantRegistrationCount}` }))
  const fail = (merchantRegistrationCount: number, paymentId = 'p_1', at = 1_000) =>
    fold.apply(
      sampleOutcome({
        merchantRegistrationCount,
        paymentId,
        at,
        status: 'FAILURE',
        statusClass: 'FAILURE',
        requestId: `o_${paymentId}_${at}`,
      }),
    )
  const end = (merchantRegistrationCount: number, cause: 'CLOSED' | 'REGISTERED_AGAIN', requestId: string = cause) =>
    fold.apply(sampleReset({ merchantRegistrationCount, cause, requestId }))

  test('the windows begin anew, and so does everything else', () => {
    decide(1)
    fail(1)
    expect(score()).toBe(0.8)
    end(2, 'CLOSED')
    expect([score(), fold.hasDecision('m_1', 'p_1'), fold.windowCountOf('m_1')]).toEqual([1, false, 0])
  })

  test('what the earlier merchant left behind has no effect, however late it comes', () => {
    decide(1)
    end(2, 'REGISTERED_AGAIN')
    expect([decide(1, 'p_2', 5_000), fail(1, 'p_1', 6_000)]).toEqual([undefined, undefined])
    decide(2, 'p_3', 7_000)
    fail(2, 'p_3', 8_000)
    expect([score(), fold.hasDecision('m_1', 'p_2')]).toEqual([0.8, false])
  })

  test('the end is told more than once: what the next merchant has learned stays', () => {
    decide(1)
    end(2, 'CLOSED')
    decide(2, 'p_2')
    fail(2, 'p_2')
    expect(end(2, 'REGISTERED_AGAIN', 'late')).toBeUndefined()
    expect(score()).toBe(0.8)
  })

  test('a later registration needs no word about the end of the earlier one', () => {
    decide(1)
    fail(1)
    decide(2, 'p_2', 5_000)
    expect(score()).toBe(1)
    fail(2, 'p_2', 6_000)
    expect(score()).toBe(0.8)
  })

  test('a log without registrations goes on with the first one, and its ends are obeyed', () => {
    decide(0)
    fail(0)
    decide(1, 'p_2', 5_000)
    expect(score()).toBe(0.8)
    fold = createPaymentFold()
    decide(0)
    fail(0)
    end(0, 'REGISTERED_AGAIN')
    expect(score()).toBe(1)
  })

  test('a reset that the earlier merchant asked for does not touch the next one', () => {
    decide(2)
    fail(2)
    expect(fold.apply(sampleReset({ merchantRegistrationCount: 1, cause: 'REQUESTED', requestId: 'r' }))).toBeUndefined()
    expect(score()).toBe(0.8)
  })

  test('a snapshot remembers the registration', () => {
    decide(1)
    end(2, 'CLOSED')
    const restored = createPaymentFold()
    restored.importMerchant('m_1', fold.exportMerchant('m_1'))
    fold = restored
    expect(decide(1, 'p_9')).toBeUndefined()
    expect(decide(2, 'p_9')).toEqual([])
  })
})
