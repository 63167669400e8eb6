import { describe, expect, test } from '@jest/globals'
import type { MerchantClosed, MerchantRegistered, SubLevelSettings, SuccessRateSettings } from '@switchyard/events'
import { specificationOf } from '@switchyard/testing'
import { debitRoutingDefaults } from './debit-routing-defaults.ts'
import { eliminationSettings } from './elimination-settings.ts'
import { NO_SETTINGS } from './promoted-settings.ts'
import { SAMPLE_ROW } from './sample-row.fixture.ts'
import { type ScoringDimensionsEvent, scoringDimensions } from './scoring-dimensions.ts'
import { successRateScoring } from './success-rate-scoring.ts'

const merchantId = 'm_1'
const at = 5
const registered: MerchantRegistered = { type: 'MerchantRegistered', data: { merchantId, name: null, deciderInput: null, at: 1 } }
const closed: MerchantClosed = { type: 'MerchantClosed', data: { merchantId, at: 2 } }
const unknownMerchant = { code: 'MERCHANT_NOT_FOUND', merchantId } as const
const missing = { code: 'CONFIGURATION_NOT_FOUND' } as const
const exists = { code: 'CONFIGURATION_EXISTS' } as const

const settings: SuccessRateSettings = {
  ...NO_SETTINGS,
  defaultLatencyThresholdSeconds: 90,
  defaultBucketSize: 200,
  defaultHedgingPercent: 5,
}
const entry: SubLevelSettings = {
  ...SAMPLE_ROW,
  currency: 'EUR',
  bucketSize: 160,
  hedgingPercent: 8,
  gatewayExtraScore: [{ gatewayName: 'alpha', gatewaySigmaFactor: -0.5 }],
}

describe('success-rate scoring', () => {
  const given = specificationOf(successRateScoring)
  const configured = { type: 'SuccessRateScoringConfigured', data: { merchantId, settings, at } } as const
  const removed = { type: 'SuccessRateScoringRemoved', data: { merchantId, at } } as const
  const create = { type: 'CreateSuccessRateScoring', merchantId, settings, at } as const
  const replace = { type: 'ReplaceSuccessRateScoring', merchantId, settings, at } as const
  const remove = { type: 'RemoveSuccessRateScoring', merchantId, at } as const

  test('creating records the settings', () => given(registered).when(create).emits(configured))
  test('creating over stored settings is rejected', () => given(registered, configured).when(create).isRejectedWith(exists))
  test('replacing records the settings as a whole', () => {
    const other = { ...settings, defaultBucketSize: 240 }
    given(registered, configured)
      .when({ ...replace, settings: other })
      .emits({ type: 'SuccessRateScoringConfigured', data: { merchantId, settings: other, at } })
  })
  test('replacing or removing nothing is rejected', () => {
    given(registered).when(replace).isRejectedWith(missing)
    given(registered, configured, removed).when(remove).isRejectedWith(missing)
  })
  test('removing records it', () => given(registered, configured).when(remove).emits(removed))
  test('an unknown merchant is rejected', () => given().when(create).isRejectedWith(unknownMerchant))
  test('a merchant that comes back starts without settings', () => {
    given(registered, configured, closed, registered).when(create).emits(configured)
  })

  test.each<[string, string, Partial<SuccessRateSettings>]>([
    ['defaultBucketSize', 'a whole number from 1 to 10000', { defaultBucketSize: 0 }],
    ['defaultBucketSize', 'a whole number from 1 to 10000', { defaultBucketSize: 10_001 }],
    ['defaultBucketSize', 'a whole number from 1 to 10000', { defaultBucketSize: 20.5 }],
    ['defaultHedgingPercent', 'a number from 0 to 100', { defaultHedgingPercent: 100.1 }],
    ['defaultHedgingPercent', 'a number from 0 to 100', { defaultHedgingPercent: -1 }],
    ['defaultLatencyThreshold', 'a number from 0 up', { defaultLatencyThresholdSeconds: -1 }],
    ['defaultLowerResetFactor', 'a number from 0 up', { defaultLowerResetFactor: -0.1 }],
    ['defaultUpperResetFactor', 'a number from 0 up', { defaultUpperResetFactor: Number.POSITIVE_INFINITY }],
    ['margin', 'a number from 0 up', { margin: -1 }],
    [
      'defaultGatewayExtraScore[0].gatewaySigmaFactor',
      'a finite number',
      { defaultGatewayExtraScore: [{ gatewayName: 'a', gatewaySigmaFactor: Number.NaN }] },
    ],
    ['subLevelInputConfig[1].bucketSize', 'a whole number from 1 to 10000', { subLevelInputConfig: [entry, { ...entry, bucketSize: 0 }] }],
    ['subLevelInputConfig[0].hedgingPercent', 'a number from 0 to 100', { subLevelInputConfig: [{ ...entry, hedgingPercent: 101 }] }],
    ['subLevelInputConfig', 'a list of at most 500 entries', { subLevelInputConfig: new Array(501).fill(entry) }],
  ])('%s must be %s', (field, expected, change) => {
    given(registered)
      .when({ ...create, settings: { ...settings, ...change } })
      .isRejectedWith({ code: 'SETTING_OUT_OF_RANGE', field, expected })
  })
  test('the bounds themselves are accepted', () => {
    const extreme = { ...settings, defaultBucketSize: 10_000, defaultHedgingPercent: 100, margin: 0, subLevelInputConfig: [entry] }
    given(registered)
      .when({ ...create, settings: extreme })
      .emits({ type: 'SuccessRateScoringConfigured', data: { merchantId, settings: extreme, at } })
  })

  test('a reset takes machine-written entries along and leaves those of people', () => {
    const drop = { type: 'DropAutopilotEntries', merchantId, at } as const
    const tuned = { ...settings, subLevelInputConfig: [{ ...entry, source: 'autopilot' }, entry, { ...entry, source: 'Autopilot' }] }
    given(registered, { type: 'SuccessRateScoringConfigured', data: { merchantId, settings: tuned, at } })
      .when(drop)
      .emits({
        type: 'SuccessRateScoringConfigured',
        data: { merchantId, settings: { ...settings, subLevelInputConfig: [entry, { ...entry, source: 'Autopilot' }] }, at },
      })
    given(registered, configured).when(drop).emitsNothing()
    given(registered).when(drop).emitsNothing()
  })

  test('a client cannot make machine-written entries, but may send stored ones back', () => {
    const tuned = { ...settings, subLevelInputConfig: [{ ...entry, source: 'autopilot' }] }
    const event = { type: 'SuccessRateScoringConfigured', data: { merchantId, settings: tuned, at } } as const
    const forged = { code: 'SOURCE_RESERVED', field: 'subLevelInputConfig[0].source' } as const
    given(registered, configured)
      .when({ ...replace, settings: tuned })
      .isRejectedWith(forged)
    given(registered, event)
      .when({ ...replace, settings: tuned })
      .emits(event)
    const moved = { ...settings, subLevelInputConfig: [{ ...entry, source: 'autopilot', hedgingPercent: 9 }] }
    given(registered, event)
      .when({ ...replace, settings: moved })
      .isRejectedWith(forged)
  })
})

describe('elimination settings', () => {
  const given = specificationOf(eliminationSettings)
  const limits = { threshold: 0.4, latency: { gatewayLatencyMs: 900 } }
  const configured = { type: 'EliminationConfigured', data: { merchantId, ...limits, at } } as const
  const configure = { type: 'ConfigureElimination', merchantId, settings: limits, at } as const
  const remove = { type: 'RemoveElimination', merchantId, at } as const

  test('configuring records the settings, also over stored ones', () => {
    given(registered).when(configure).emits(configured)
    given(registered, configured).when(configure).emits(configured)
  })
  test('removing records it, once', () => {
    const removed = { type: 'EliminationRemoved', data: { merchantId, at } } as const
    given(registered, configured).when(remove).emits(removed)
    given(registered, configured, removed).when(remove).isRejectedWith(missing)
  })
  test('an unknown merchant is rejected', () => given(registered, configured, closed).when(remove).isRejectedWith(unknownMerchant))
  test.each([
    ['threshold', 'a number from 0 to 1', { threshold: 1.01, latency: null }],
    ['threshold', 'a number from 0 to 1', { threshold: Number.NaN, latency: null }],
    ['txnLatency.gatewayLatency', 'a number from 0 up', { threshold: 1, latency: { gatewayLatencyMs: -1 } }],
  ])('%s must be %s', (field, expected, change) => {
    given(registered)
      .when({ ...configure, settings: change })
      .isRejectedWith({ code: 'SETTING_OUT_OF_RANGE', field, expected })
  })
})

describe('debit routing defaults', () => {
  const given = specificationOf(debitRoutingDefaults)
  const defaults = { merchantCategoryCode: '5411', acquirerCountry: 'US' }
  const configured = { type: 'DebitRoutingDefaultsConfigured', data: { merchantId, ...defaults, at } } as const
  const removed = { type: 'DebitRoutingDefaultsRemoved', data: { merchantId, at } } as const
  const create = { type: 'CreateDebitRoutingDefaults', merchantId, settings: defaults, at } as const
  const replace = { ...create, type: 'ReplaceDebitRoutingDefaults' } as const
  const remove = { type: 'RemoveDebitRoutingDefaults', merchantId, at } as const

  test('create, replace, remove', () => {
    given(registered).when(create).emits(configured)
    given(registered, configured).when(replace).emits(configured)
    given(registered, configured).when(remove).emits(removed)
  })
  test('what is there cannot be created, what is not there neither replaced nor removed', () => {
    given(registered, configured).when(create).isRejectedWith(exists)
    given(registered).when(replace).isRejectedWith(missing)
    given(registered, configured, removed).when(remove).isRejectedWith(missing)
  })
  test('an unknown merchant is rejected', () => given().when(create).isRejectedWith(unknownMerchant))
  test.each(['us', 'USA', 'ZZ', ''])('an acquirer in %j would make every card one from abroad', (acquirerCountry) => {
    const refused = { code: 'SETTING_OUT_OF_RANGE', field: 'acquirerCountry', expected: 'an ISO 3166 alpha-2 code in upper case' } as const
    const settings = { ...defaults, acquirerCountry }
    given(registered)
      .when({ ...create, settings })
      .isRejectedWith(refused)
    given(registered, configured)
      .when({ ...replace, settings })
      .isRejectedWith(refused)
  })
})

describe('scoring dimensions', () => {
  const given = specificationOf(scoringDimensions)
  const choose = (udfs: readonly number[], fields: readonly string[] | null) =>
    ({ type: 'ChooseScoringDimensions', merchantId, udfs, fields, at }) as const
  const chosen = (udfs: readonly number[], fields: readonly string[] | null) =>
    ({ type: 'ScoringDimensionsChosen', data: { merchantId, udfs, fields, at } }) as const
  const every = ['currency', 'country', 'auth_type', 'card_is_in', 'card_network']

  test('a choice replaces the one before, duplicates and order are kept', () => {
    given(registered, chosen([], null))
      .when(choose([3, 0, 3], [...every, 'country']))
      .emits(chosen([3, 0, 3], [...every, 'country']))
  })

  test('the same choice again keeps its windows', () => {
    given(registered, chosen([1], every))
      .when(choose([1], every))
      .emitsNothing()
    given(registered, chosen([1], null))
      .when(choose([1], []))
      .emits(chosen([1], []))
  })

  test('the same fields in another order, or twice, began all windows anew', () => {
    const versionAfter = (...choices: readonly ScoringDimensionsEvent[]): number | undefined =>
      [registered, ...choices].reduce(scoringDimensions.evolve, scoringDimensions.initialState).chosen?.version
    expect(versionAfter(chosen([1], ['currency', 'country']))).toBe(1)
    expect(versionAfter(chosen([1], ['currency', 'country']), chosen([1], ['country', 'currency', 'country']))).toBe(1)
    expect(versionAfter(chosen([], null), chosen([], []))).toBe(0)
    expect(versionAfter(chosen([1], ['currency']), chosen([1], ['country']))).toBe(2)
    // Their values stand in this order in the key of a window.
    expect(versionAfter(chosen([1, 2], null), chosen([2, 1], null))).toBe(2)
  })

  test('every unknown field is named', () => {
    const refused = { code: 'DIMENSIONS_UNKNOWN', names: ['colour', 'Currency'] } as const
    given(registered)
      .when(choose([], ['colour', 'currency', 'Currency']))
      .isRejectedWith(refused)
  })

  test.each([
    [[-1], null, 'paymentInfo.udfs[0]', 'a whole number from 0 to 99'],
    [[0, 100], null, 'paymentInfo.udfs[1]', 'a whole number from 0 to 99'],
    [Array.from({ length: 21 }, () => 1), null, 'paymentInfo.udfs', 'a list of at most 20 entries'],
    [[], Array.from({ length: 21 }, () => 'country'), 'paymentInfo.fields', 'a list of at most 20 entries'],
  ])('%j and %j are refused', (udfs, fields, field, expected) => {
    given(registered).when(choose(udfs, fields)).isRejectedWith({ code: 'SETTING_OUT_OF_RANGE', field, expected })
  })

  test('nobody chooses for a merchant that is not registered', () => {
    given().when(choose([], null)).isRejectedWith(unknownMerchant)
    given(registered, chosen([1], every), closed)
      .when(choose([], null))
      .isRejectedWith(unknownMerchant)
  })
})
