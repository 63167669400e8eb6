import { describe, expect, test } from '@jest/globals'
import { specificationOf } from '@switchyard/testing'
import { type MerchantsEvent, merchants } from './merchants.ts'

const given = specificationOf(merchants)
const registered: MerchantsEvent = { type: 'MerchantRegistered', data: { merchantId: 'm1', name: null, deciderInput: '{"a":1}', at: 10 } }
const closed: MerchantsEvent = { type: 'MerchantClosed', data: { merchantId: 'm1', at: 20 } }
const register = { type: 'RegisterMerchant', merchantId: 'm1', name: null, deciderInput: '{"a":1}', at: 10 } as const
const close = { type: 'CloseMerchant', merchantId: 'm1', at: 20 } as const

describe('merchants', () => {
  test('an unused id is registered', () => {
    given().when(register).emits(registered)
  })
  test('an id that is taken is rejected', () => {
    given(registered).when(register).isRejectedWith({ code: 'MERCHANT_ALREADY_EXISTS', merchantId: 'm1' })
  })
  test('a registered merchant is closed', () => {
    given(registered).when(close).emits(closed)
  })
  test('an unknown merchant cannot be closed', () => {
    given().when(close).isRejectedWith({ code: 'MERCHANT_NOT_FOUND', merchantId: 'm1' })
  })
  test('a closed merchant cannot be closed again', () => {
    given(registered, closed).when(close).isRejectedWith({ code: 'MERCHANT_NOT_FOUND', merchantId: 'm1' })
  })
  test('the id of a closed merchant is free again', () => {
    given(registered, closed).when(register).emits(registered)
  })
  test.each([
    ['later', 30, 30],
    ['in the same millisecond', 20, 21],
    ['by a clock that is behind', 15, 21],
  ])('a merchant that gets the id %s sees nothing of the end of the earlier one', (_name, at, historySince) => {
    const again: MerchantsEvent = { ...registered, data: { ...registered.data, at } }
    expect([registered, closed, again].reduce(merchants.evolve, merchants.initialState)).toMatchObject({ historySince })
  })
})
