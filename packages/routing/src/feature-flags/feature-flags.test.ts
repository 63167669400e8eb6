import { describe, expect, test } from '@jest/globals'
import { specificationOf } from '@switchyard/testing'
import fc from 'fast-check'
import { FEATURES, type FeatureFlagsEvent, featureFlags, featureList } from './feature-flags.ts'

const given = specificationOf(featureFlags)
const merchantId = 'm_1'
const registered: FeatureFlagsEvent = { type: 'MerchantRegistered', data: { merchantId, name: null, deciderInput: null, at: 1 } }
const closed: FeatureFlagsEvent = { type: 'MerchantClosed', data: { merchantId, at: 2 } }
const change = { merchantId, feature: 'autopilot', at: 3 }
const enabled: FeatureFlagsEvent = { type: 'FeatureEnabled', data: change }
const disabled: FeatureFlagsEvent = { type: 'FeatureDisabled', data: change }

describe('feature flags', () => {
  test('enabling a disabled feature records it', () => {
    given(registered)
      .when({ type: 'EnableFeature', ...change })
      .emits(enabled)
  })
  test('enabling it again records nothing', () => {
    given(registered, enabled)
      .when({ type: 'EnableFeature', ...change })
      .emitsNothing()
  })
  test('disabling an enabled feature records it', () => {
    given(registered, enabled)
      .when({ type: 'DisableFeature', ...change })
      .emits(disabled)
  })
  test('disabling a feature that is off records nothing', () => {
    given(registered)
      .when({ type: 'DisableFeature', ...change })
      .emitsNothing()
  })
  test('a merchant that was never registered, or is closed, is rejected', () => {
    const rejection = { code: 'MERCHANT_NOT_FOUND', merchantId } as const
    given()
      .when({ type: 'EnableFeature', ...change })
      .isRejectedWith(rejection)
    given(registered, enabled, closed)
      .when({ type: 'DisableFeature', ...change })
      .isRejectedWith(rejection)
  })
  test('a merchant that comes back starts with every feature off', () => {
    given(registered, enabled, closed, registered)
      .when({ type: 'EnableFeature', ...change })
      .emits(enabled)
  })
  test('what was switched while the merchant was being closed is off', () => {
    const state = [registered, closed, enabled].reduce(featureFlags.evolve, featureFlags.initialState)
    expect(state).toEqual({ registered: false, enabled: [] })
  })
  test('an unknown feature is rejected', () => {
    given(registered)
      .when({ ...change, type: 'EnableFeature', feature: 'teleport' })
      .isRejectedWith({ code: 'UNKNOWN_FEATURE', feature: 'teleport' })
  })
  test('the list is in fixed order and follows the last toggle of each feature', () => {
    const toggle = fc.record({ feature: fc.constantFrom(...FEATURES), on: fc.boolean() })
    fc.assert(
      fc.property(fc.array(toggle, { maxLength: 40 }), (toggles) => {
        let state = featureFlags.evolve(featureFlags.initialState, registered)
        const last = new Map<string, boolean>()
        for (const { feature, on } of toggles) {
          const decision = featureFlags.decide({ type: on ? 'EnableFeature' : 'DisableFeature', merchantId, feature, at: 1 }, state)
          if (decision.accepted) state = decision.events.reduce(featureFlags.evolve, state)
          last.set(feature, on)
        }
        expect(featureList(state)).toEqual(FEATURES.map((feature) => ({ feature, enabled: last.get(feature) ?? false })))
      }),
    )
  })
})
