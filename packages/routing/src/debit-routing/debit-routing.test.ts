import { describe, test } from '@jest/globals'
import { specificationOf } from '@switchyard/testing'
import { type DebitRoutingEvent, debitRouting } from './debit-routing.ts'

const given = specificationOf(debitRouting)
const merchantId = 'm_1'
const change = { merchantId, at: 3 }
const registered: DebitRoutingEvent = { type: 'MerchantRegistered', data: { merchantId, name: null, deciderInput: null, at: 1 } }
const closed: DebitRoutingEvent = { type: 'MerchantClosed', data: change }
const enabled: DebitRoutingEvent = { type: 'DebitRoutingEnabled', data: change }
const disabled: DebitRoutingEvent = { type: 'DebitRoutingDisabled', data: change }
const enable = { type: 'EnableDebitRouting', ...change } as const
const disable = { type: 'DisableDebitRouting', ...change } as const

describe('debit routing', () => {
  test('it is off at first and can be switched on', () => given(registered).when(enable).emits(enabled))
  test('switching it on again records nothing', () => given(registered, enabled).when(enable).emitsNothing())
  test('it can be switched off', () => given(registered, enabled).when(disable).emits(disabled))
  test('switching it off when it is off records nothing', () => given(registered, enabled, disabled).when(disable).emitsNothing())
  test('a merchant that is not registered is rejected', () => {
    given().when(enable).isRejectedWith({ code: 'MERCHANT_NOT_FOUND', merchantId })
    given(registered, enabled, closed).when(disable).isRejectedWith({ code: 'MERCHANT_NOT_FOUND', merchantId })
  })
  test('a merchant that comes back starts with debit routing off', () => {
    given(registered, enabled, closed, registered).when(enable).emits(enabled)
  })
})
