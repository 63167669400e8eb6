import { describe, expect, test } from '@jest/globals'
import type { ExperimentArmPromoted, ExperimentOverrides, SubLevelSettings } from '@switchyard/events'
import { featureFlags } from '../feature-flags/feature-flags.ts'
import { eliminationSettings } from './elimination-settings.ts'
import { NO_SETTINGS, withPromoted } from './promoted-settings.ts'
import { SAMPLE_ROW } from './sample-row.fixture.ts'

const nothing: ExperimentOverrides = {
  hedgingPercent: null,
  eliminationThreshold: null,
  multiObjective: null,
  margin: null,
  useAutopilot: null,
}
const row = (changes: Partial<SubLevelSettings>): SubLevelSettings => ({ ...SAMPLE_ROW, bucketSize: 60, hedgingPercent: 8, ...changes })
const settings = { ...NO_SETTINGS, defaultHedgingPercent: 5, subLevelInputConfig: [row({}), row({ source: 'autopilot' })] }

const promoted = (overrides: ExperimentOverrides | null): ExperimentArmPromoted => ({
  type: 'ExperimentArmPromoted',
  data: { merchantId: 'm_1', algorithmId: 'e', purpose: 'PAYMENT', arm: 'VARIANT', promotedAlgorithmId: null, overrides, at: 5 },
})
const registered = { type: 'MerchantRegistered', data: { merchantId: 'm_1', name: null, deciderInput: null, at: 1 } } as const

describe('settings of an arm that goes live', () => {
  test('a margin of 0 leaves the margin of the merchant, which the arm reckoned with', () => {
    const own = { ...settings, margin: 0.2 }
    expect(withPromoted(own, { ...nothing, margin: 0 })).toEqual(own)
    expect(withPromoted(own, { ...nothing, margin: 0, hedgingPercent: 3 })?.margin).toBe(0.2)
  })

  test('that sets nothing change nothing', () => {
    expect(withPromoted(settings, nothing)).toBe(settings)
    expect(withPromoted(null, nothing)).toBeNull()
    expect(withPromoted(null, { ...nothing, margin: 0 })).toBeNull()
  })

  test('its exploration stands before every row, as it did in the experiment', () => {
    expect(withPromoted(settings, { ...nothing, hedgingPercent: 12, margin: 0.02 })).toEqual({
      ...settings,
      defaultHedgingPercent: 12,
      margin: 0.02,
      subLevelInputConfig: [row({ hedgingPercent: null }), row({ source: 'autopilot', hedgingPercent: null })],
    })
    expect(withPromoted(null, { ...nothing, hedgingPercent: 0 })).toEqual({ ...NO_SETTINGS, defaultHedgingPercent: 0 })
  })

  test('without the self-tuning its rows go', () => {
    expect(withPromoted(settings, { ...nothing, useAutopilot: false })?.subLevelInputConfig).toEqual([row({})])
  })

  test('flags and elimination follow', () => {
    const flags = [registered, promoted({ ...nothing, multiObjective: true, useAutopilot: false })]
    const on = featureFlags.evolve({ registered: true, enabled: ['autopilot'] }, flags[1] ?? registered)
    expect(on.enabled).toEqual(['multi-objective-routing'])
    const latency = { gatewayLatencyMs: 900 }
    const elimination = { registered: true, settings: { threshold: 0.1, latency } }
    expect(eliminationSettings.evolve(elimination, promoted({ ...nothing, eliminationThreshold: 0.3 })).settings).toEqual({
      threshold: 0.3,
      latency,
    })
    expect(eliminationSettings.evolve(elimination, promoted(null))).toBe(elimination)
  })
})
