import { describe, expect, test } from '@jest/globals'
import type { SubLevelSettings, SuccessRateSettings } from '@switchyard/events'
import { SAMPLE_ROW } from '../scoring-settings/sample-row.fixture.ts'
import { successRateScoring } from '../scoring-settings/success-rate-scoring.ts'
import type { CalibrateScoring } from './calibrate.ts'
import { SHIPPED_TUNING_RULES } from './formulas.ts'
import type { ClusterTraffic } from './plan-calibration.ts'

const merchantId = 'm_1'
const INTERVAL_MS = 900_000

const cards: ClusterTraffic = {
  paymentMethodType: 'CARD',
  paymentMethod: 'CREDIT',
  cardNetwork: null,
  currency: null,
  country: null,
  authType: null,
  paymentCount: 10_000,
  gatewayCount: 2,
  gateways: [],
}
const wallets: ClusterTraffic = { ...cards, paymentMethodType: 'WALLET', paymentMethod: 'PAYPAL', paymentCount: 160_000 }

const row = (changes: Partial<SubLevelSettings>): SubLevelSettings => ({
  ...SAMPLE_ROW,
  paymentMethod: 'CREDIT',
  bucketSize: 160,
  hedgingPercent: 8,
  ...changes,
})
const tunedRow = (changes: Partial<SubLevelSettings> = {}) => row({ source: 'autopilot', bucketSize: 500, hedgingPercent: 5, ...changes })

const settingsWith = (...subLevelInputConfig: SubLevelSettings[]): SuccessRateSettings => ({
  defaultLatencyThresholdSeconds: 90,
  defaultBucketSize: 200,
  defaultHedgingPercent: 5,
  defaultLowerResetFactor: null,
  defaultUpperResetFactor: null,
  defaultGatewayExtraScore: null,
  subLevelInputConfig,
  margin: 0.02,
})

const { initialState, evolve, decide } = successRateScoring
type State = typeof initialState

const merchant = (flags: readonly string[], settings: SuccessRateSettings | null): State => {
  const registered = evolve(initialState, { type: 'MerchantRegistered', data: { merchantId, name: null, deciderInput: null, at: 1 } })
  const flagged = flags.reduce(
    (state, feature) => evolve(state, { type: 'FeatureEnabled', data: { merchantId, feature, at: 1 } }),
    registered,
  )
  return { ...flagged, settings }
}
const autopilot = (settings: SuccessRateSettings | null = null): State => merchant(['auto-calibration', 'autopilot'], settings)

const run = (state: State, traffic: readonly ClusterTraffic[], changes: Partial<CalibrateScoring> = {}) => {
  const command = {
    type: 'CalibrateScoring',
    merchantId,
    intervalStartAt: INTERVAL_MS,
    traffic,
    rules: SHIPPED_TUNING_RULES,
    at: INTERVAL_MS + 5,
  }
  const decision = decide({ ...command, type: 'CalibrateScoring', ...changes }, state)
  const [event] = decision.accepted ? decision.events : []
  return {
    event,
    after: event === undefined ? state : evolve(state, event),
    clusters: event?.type === 'ScoringCalibrated' ? event.data.clusters : [],
  }
}
const outcomesOf = (clusters: ReturnType<typeof run>['clusters']) =>
  clusters.map(({ outcome, bucketSize, hedgingPercent }) => [outcome, bucketSize, hedgingPercent])

describe('a run of the self-tuning', () => {
  test('writes a row for every busy group, marked as its own, and keeps everything else', () => {
    const human = row({ paymentMethodType: 'BANK', paymentMethod: null })
    const { after, clusters } = run(autopilot(settingsWith(human)), [cards, wallets])
    expect(outcomesOf(clusters)).toEqual([
      ['APPLIED', 2_000, 1.25],
      ['APPLIED', 500, 5],
    ])
    expect(after.settings).toEqual(
      settingsWith(
        human,
        tunedRow({ paymentMethodType: 'WALLET', paymentMethod: 'PAYPAL', bucketSize: 2_000, hedgingPercent: 1.25 }),
        tunedRow(),
      ),
    )
  })

  test('begins the settings of a merchant that has none', () => {
    const { after } = run(autopilot(), [cards])
    expect(after.settings?.subLevelInputConfig).toEqual([tunedRow()])
    expect(after.settings?.defaultBucketSize).toBeNull()
  })

  test('changes inside both deadbands are left alone', () => {
    const known = settingsWith(tunedRow({ bucketSize: 480, hedgingPercent: 5.9 }))
    const { after, clusters, event } = run(autopilot(known), [cards])
    expect(outcomesOf(clusters)).toEqual([['UNCHANGED', 500, 5]])
    expect(event?.data).toMatchObject({ settings: null })
    expect(after.settings).toBe(known)
  })

  test.each([
    ['by the window', { bucketSize: 475, hedgingPercent: 5 }],
    ['by exploration', { bucketSize: 500, hedgingPercent: 6 }],
    ['by a missing value', { bucketSize: 500, hedgingPercent: null }],
  ])('a change that reaches a deadband %s writes both values', (_, changes) => {
    const { after, clusters } = run(autopilot(settingsWith(tunedRow(changes))), [cards])
    expect(clusters[0]).toMatchObject({
      outcome: 'APPLIED',
      previousBucketSize: changes.bucketSize,
      previousHedgingPercent: changes.hedgingPercent,
    })
    expect(after.settings?.subLevelInputConfig).toEqual([tunedRow()])
  })

  test('exploration that moves by exactly a point is written, whatever the last digit of its difference: 16.97 and 15.97 are less than 1 apart', () => {
    const known = settingsWith(tunedRow({ bucketSize: 150, hedgingPercent: 16.97 }))
    expect(outcomesOf(run(autopilot(known), [{ ...cards, paymentCount: 939 }]).clusters)).toEqual([['APPLIED', 150, 15.97]])
    const nearly = settingsWith(tunedRow({ bucketSize: 150, hedgingPercent: 16.96 }))
    expect(outcomesOf(run(autopilot(nearly), [{ ...cards, paymentCount: 939 }]).clusters)).toEqual([['UNCHANGED', 150, 15.97]])
  })

  test.each([
    ['for the same payments', row({ bucketSize: null, hedgingPercent: null })],
    ['for the same payments in another spelling', row({ paymentMethodType: 'card', paymentMethod: 'credit', cardNetwork: '' })],
    ['for more payments', row({ paymentMethod: null, hedgingPercent: null })],
  ])('a row of people %s is untouched, and what the tuning had written goes', (_, human) => {
    const { after, clusters } = run(autopilot(settingsWith(human, tunedRow())), [cards])
    expect(clusters.map(({ outcome }) => outcome)).toEqual(['SKIPPED_HUMAN'])
    expect(after.settings?.subLevelInputConfig).toEqual([human])
  })

  test.each([
    ['for some card numbers alone', row({ cardIsIn: '424242' })],
    ['for other payments', row({ currency: 'EUR' })],
    ['that sets something else', row({ paymentMethod: null, bucketSize: null, hedgingPercent: null, latencyThresholdSeconds: 5 })],
  ])('a row of people %s does not hinder', (_, human) => {
    expect(run(autopilot(settingsWith(human)), [cards]).after.settings?.subLevelInputConfig).toEqual([human, tunedRow()])
  })

  test('a row of people for 3-D Secure 2 in its other spelling settles the group', () => {
    const secured = { ...cards, authType: 'THREE_DS_2' }
    const { clusters } = run(autopilot(settingsWith(row({ authType: 'THREE_DS2' }))), [secured])
    expect(clusters.map(({ outcome }) => outcome)).toEqual(['SKIPPED_HUMAN'])
  })

  test('little traffic, or a single gateway, gets no row', () => {
    const traffic = [
      { ...cards, paymentCount: 99 },
      { ...wallets, gatewayCount: 1 },
    ]
    const { after, clusters } = run(autopilot(), traffic)
    expect(outcomesOf(clusters)).toEqual([
      ['INSUFFICIENT_TRAFFIC', null, null],
      ['INSUFFICIENT_TRAFFIC', null, null],
    ])
    expect(after.settings).toBeNull()
  })

  test('a row goes when its traffic has halved below what it takes, not before', () => {
    const known = settingsWith(tunedRow())
    expect(run(autopilot(known), [{ ...cards, paymentCount: 60 }]).after.settings).toBe(known)
    const { after, clusters } = run(autopilot(known), [{ ...cards, paymentCount: 49 }])
    expect(clusters).toMatchObject([{ outcome: 'WITHDRAWN', previousBucketSize: 500 }])
    expect(after.settings?.subLevelInputConfig).toEqual([])
  })

  test('a row whose dimension is not told apart any more goes', () => {
    const { after, clusters } = run(autopilot(settingsWith(tunedRow({ currency: 'EUR' }))), [cards])
    expect(clusters).toMatchObject([{ outcome: 'APPLIED' }, { outcome: 'WITHDRAWN', currency: 'EUR', paymentCount: 0 }])
    expect(after.settings?.subLevelInputConfig).toEqual([tunedRow()])
  })

  test('a row whose payments are not among the busiest groups stays: it was withdrawn, and its payments told as none', () => {
    const busier = Array.from({ length: 500 }, (_, index) => ({ ...cards, currency: `C${index}` }))
    const quieter = { ...cards, paymentCount: 400, currency: 'EUR' }
    const known = tunedRow({ currency: 'EUR', bucketSize: 100, hedgingPercent: 25 })
    const { after, clusters } = run(autopilot(settingsWith(known)), [...busier, quieter, { ...quieter, currency: 'USD' }])
    expect(clusters).toHaveLength(501)
    expect(clusters.filter(({ currency }) => currency === 'EUR')).toMatchObject([{ outcome: 'UNCHANGED', paymentCount: 400 }])
    expect(clusters.filter(({ outcome }) => outcome === 'ROWS_FULL')).toHaveLength(1)
    expect(after.settings?.subLevelInputConfig).toHaveLength(500)
    expect(after.settings?.subLevelInputConfig).toContainEqual(known)
  })

  test('without autopilot it says what it would do, and writes nothing', () => {
    const known = settingsWith(tunedRow({ currency: 'EUR' }))
    const { after, event, clusters } = run(merchant(['auto-calibration'], known), [cards])
    expect(event?.data).toMatchObject({ isObserveOnly: true, settings: null })
    expect(clusters).toMatchObject([
      { outcome: 'OBSERVE_ONLY', bucketSize: 500 },
      { outcome: 'OBSERVE_ONLY', currency: 'EUR' },
    ])
    expect(after.settings).toBe(known)
  })

  test('without auto-calibration there is no run', () => {
    expect(run(merchant(['autopilot'], null), [cards]).event).toBeUndefined()
  })

  test('an interval has one run', () => {
    const { after } = run(autopilot(), [cards])
    expect(run(after, [wallets]).event).toBeUndefined()
    expect(run(after, [wallets], { intervalStartAt: 2 * INTERVAL_MS }).event).toBeDefined()
  })

  test('what was decided while autopilot was on has no effect once it is off', () => {
    const { event } = run(autopilot(), [cards])
    const off = evolve(autopilot(), { type: 'FeatureDisabled', data: { merchantId, feature: 'autopilot', at: 3 } })
    expect(event).toBeDefined()
    expect(event === undefined ? undefined : evolve(off, event).settings).toBeNull()
  })

  test('where exploring is dear, it is capped, and says so', () => {
    const gateways = [
      { gateway: 'a', approvedCount: 450, declinedCount: 50 },
      { gateway: 'b', approvedCount: 400, declinedCount: 100 },
    ]
    const { clusters } = run(autopilot(), [{ ...cards, paymentCount: 1_000, gateways }])
    expect(clusters).toMatchObject([{ bucketSize: 150, hedgingPercent: 6.01, isHedgingCapped: true }])
  })
})
