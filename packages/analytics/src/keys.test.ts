import { expect, test } from '@jest/globals'
import { endedBy } from './keys.ts'
import { inLog, MERCHANT, recorded } from './sample-records.fixture.ts'

test.each([
  ['CLOSED', [MERCHANT]],
  ['REGISTERED_AGAIN', [MERCHANT]],
  ['REQUESTED', undefined],
  // A cause that a later release adds reads as this one.
  ['UNKNOWN', undefined],
] as const)(
  'scores that are reset for any reason but a request took all figures of the merchant with them: %s ends %p',
  (cause, prefix) => {
    const data = { merchantId: MERCHANT, requestId: 'r', at: 1, cause, merchantRegistrationCount: 1 }
    for (const record of inLog([recorded({ type: 'GatewayScoresReset', data })])) expect(endedBy(record)).toEqual(prefix)
  },
)
