import { describe, expect, jest, test } from '@jest/globals'
import { specificationOf } from '@switchyard/testing'
import { CONNECTOR_OVERRIDE_COUNT_MAX } from '../limits.ts'
import { key } from '../serving/sample-model.fixture.ts'
import { type CostOverridesEvent, costOverrides } from './cost-overrides.ts'

const given = specificationOf(costOverrides)
const registered: CostOverridesEvent = { type: 'MerchantRegistered', data: { merchantId: 'm1', deciderInput: null, name: null, at: 1 } }
const fee = { pctBps: 120, fixed: 0.1 }
const common = { merchantId: 'm1', at: 10 }
const overridden = (connector = 'adyen'): CostOverridesEvent => ({ type: 'ConnectorFeeOverridden', data: { ...common, connector, fee } })
const cluster = key({ cardNetwork: 'Visa', issuerCountry: 'NL', currency: 'EUR', interchangeCategory: 'Consumer' })
const lower = { ...cluster, cardNetwork: 'visa', issuerCountry: 'nl', currency: 'eur', interchangeCategory: 'consumer' }

describe('fees that people set', () => {
  test('of a connector, in lower case', () => {
    given(registered)
      .when({ type: 'OverrideConnectorFee', ...common, connector: 'Adyen', fee })
      .emits(overridden())
  })

  test('of a cluster, in lower case', () => {
    given(registered)
      .when({ type: 'OverrideClusterFee', ...common, cluster, fee })
      .emits({ type: 'ClusterFeeOverridden', data: { ...common, cluster: lower, fee } })
  })

  test('once more is no other override', () => {
    const all = Array.from({ length: CONNECTOR_OVERRIDE_COUNT_MAX }, (_, index) => overridden(`c${index}`))
    given(registered, ...all)
      .when({ type: 'OverrideConnectorFee', ...common, connector: 'C0', fee })
      .emits(overridden('c0'))
    given(registered, ...all)
      .when({ type: 'OverrideConnectorFee', ...common, connector: 'adyen', fee })
      .isRejectedWith({ code: 'TOO_MANY_OVERRIDES', limit: CONNECTOR_OVERRIDE_COUNT_MAX })
  })

  test.each([
    ['pctBps', { pctBps: -1, fixed: 0 }],
    ['pctBps', { pctBps: Number.NaN, fixed: 0 }],
    ['fixed', { pctBps: 1, fixed: Number.POSITIVE_INFINITY }],
  ] as const)('a %s that is no fee is refused', (field, wrong) => {
    given(registered)
      .when({ type: 'OverrideClusterFee', ...common, cluster, fee: wrong })
      .isRejectedWith({ code: 'NOT_A_FEE', field })
  })

  test('of a thousand clusters took seconds to fold: the text of each was made for every other one', () => {
    const count = 1_000
    const events = Array.from(
      { length: count },
      (_, index): CostOverridesEvent => ({
        type: 'ClusterFeeOverridden',
        data: { ...common, cluster: { ...lower, interchangeCategory: `category ${index}` }, fee },
      }),
    )
    const toLowerCase = jest.spyOn(String.prototype, 'toLowerCase')
    const state = [registered, ...events, ...events.slice(0, 10)].reduce(costOverrides.evolve, costOverrides.initialState)
    const textCount = toLowerCase.mock.calls.length
    toLowerCase.mockRestore()
    expect(textCount).toBeLessThan(20 * count)
    expect(state.clusters).toHaveLength(count)
    expect(state.clusters.at(-1)?.key.interchangeCategory).toBe('category 9')
  })

  test('cleared once', () => {
    const clear = { type: 'ClearConnectorFeeOverride', ...common, connector: 'ADYEN' } as const
    given(registered, overridden())
      .when(clear)
      .emits({ type: 'ConnectorFeeOverrideCleared', data: { ...common, connector: 'adyen' } })
    given(registered).when(clear).emitsNothing()
    given(registered)
      .when({ type: 'ClearClusterFeeOverride', ...common, cluster })
      .emitsNothing()
  })

  test('end with the merchant', () => {
    given(registered, overridden(), { type: 'MerchantClosed', data: { merchantId: 'm1', at: 20 } }, registered)
      .when({ type: 'ClearConnectorFeeOverride', ...common, connector: 'adyen' })
      .emitsNothing()
    given()
      .when({ type: 'OverrideConnectorFee', ...common, connector: 'adyen', fee })
      .isRejectedWith({ code: 'MERCHANT_NOT_FOUND', merchantId: 'm1' })
  })
})
