import { describe, expect, test } from '@jest/globals'
import { ERROR_SAMPLES_PER_MINUTE_MAX } from '../limits.ts'
import { decided, decisionRefused, inLog, MERCHANT, projected, recorded } from '../sample-records.fixture.ts'
import { errorSamples } from './error-samples.ts'

const minutes = (records: Parameters<typeof inLog>[0]) => projected(errorSamples, inLog(records)).map(({ view }) => view)

describe('error samples', () => {
  test('a failed call is kept in its minute, as its audit entry says it', () => {
    const [minute] = minutes([recorded(decided('a', 1_000)), recorded(decisionRefused('x', 61_000, 'no gateway left'))])
    expect(minute).toEqual({
      merchantId: MERCHANT,
      minuteMs: 60_000,
      samples: [
        {
          id: 'event-1',
          flow: 'decide_gateway_error',
          at: 61_000,
          requestId: 'x',
          paymentId: null,
          status: 'failure',
          approach: null,
          errorCode: 'invalid_request_error',
          errorMessage: 'no gateway left',
        },
      ],
    })
  })

  test('a minute keeps its newest', () => {
    const [minute] = minutes(Array.from({ length: 60 }, (_, i) => recorded(decisionRefused(`r${i}`, i))))
    expect(minute?.samples).toHaveLength(ERROR_SAMPLES_PER_MINUTE_MAX)
    expect(minute?.samples[0]?.requestId).toBe('r10')
    expect(minute?.samples.at(-1)?.requestId).toBe('r59')
  })

  test('nothing of an earlier merchant of the id is kept', () => {
    const again = {
      type: 'GatewayScoresReset',
      data: { merchantId: MERCHANT, requestId: 'r', at: 2_000, cause: 'REGISTERED_AGAIN', merchantRegistrationCount: 0 },
    } as const
    expect(minutes([recorded(decisionRefused('x', 1_000)), recorded(again)])[0]?.samples).toEqual([])
  })
})
