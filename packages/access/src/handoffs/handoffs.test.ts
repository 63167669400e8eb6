import { describe, test } from '@jest/globals'
import { specificationOf } from '@switchyard/testing'
import { OPEN_HANDOFF_COUNT_MAX } from '../limits.ts'
import { type HandoffsEvent, handoffs } from './handoffs.ts'

const given = specificationOf(handoffs)
const registered: HandoffsEvent = { type: 'MerchantRegistered', data: { merchantId: 'm1', name: null, deciderInput: null, at: 1 } }
const closed: HandoffsEvent = { type: 'MerchantClosed', data: { merchantId: 'm1', at: 5 } }
const code = {
  merchantId: 'm1',
  codeHash: 'c1',
  email: null,
  permissions: ['routing:read'],
  grantLevel: 'profile',
  grantId: 'm1',
  expiresAt: 60,
  at: 2,
}
const issued: HandoffsEvent = { type: 'HandoffCodeIssued', data: code }
const issue = { type: 'IssueHandoffCode', ...code } as const
const redeemAt = (at: number) => ({ type: 'RedeemHandoffCode', merchantId: 'm1', codeHash: 'c1', at }) as const
const redeemed = (at: number): HandoffsEvent => ({ type: 'HandoffCodeRedeemed', data: { merchantId: 'm1', codeHash: 'c1', at } })
const invalid = { code: 'HANDOFF_CODE_INVALID' } as const

describe('hand-off codes', () => {
  test('are issued for merchants that exist', () => {
    given(registered).when(issue).emits(issued)
    given().when(issue).isRejectedWith({ code: 'MERCHANT_NOT_FOUND', merchantId: 'm1' })
  })
  test('work once, up to and including their end', () => {
    given(registered, issued).when(redeemAt(60)).emits(redeemed(60))
    given(registered, issued).when(redeemAt(61)).isRejectedWith(invalid)
    given(registered, issued, redeemed(3)).when(redeemAt(4)).isRejectedWith(invalid)
    given(registered).when(redeemAt(4)).isRejectedWith(invalid)
  })
  test('die with their merchant, and do not rise with its id', () => {
    given(registered, issued, closed).when(redeemAt(6)).isRejectedWith({ code: 'MERCHANT_NOT_FOUND', merchantId: 'm1' })
    given(registered, issued, closed, registered).when(redeemAt(6)).isRejectedWith(invalid)
    given(registered, closed, issued, registered).when(redeemAt(6)).isRejectedWith(invalid)
  })
  test('that have run out are forgotten, and make room', () => {
    const many = Array.from(
      { length: OPEN_HANDOFF_COUNT_MAX },
      (_, i): HandoffsEvent => ({ type: 'HandoffCodeIssued', data: { ...code, codeHash: `c-${i}` } }),
    )
    given(registered, ...many)
      .when(issue)
      .isRejectedWith({ code: 'HANDOFF_LIMIT_REACHED', openCountMax: OPEN_HANDOFF_COUNT_MAX })
    given(registered, ...many)
      .when({ ...issue, at: 61, expiresAt: 121 })
      .emits({ type: 'HandoffCodeIssued', data: { ...code, at: 61, expiresAt: 121 } })
  })
})
