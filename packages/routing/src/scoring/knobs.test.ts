import { describe, expect, test } from '@jest/globals'
import type { ScoringKnobs, SubLevelSettings, SuccessRateSettings } from '@switchyard/events'
import { NO_SETTINGS } from '../scoring-settings/promoted-settings.ts'
import { SAMPLE_ROW } from '../scoring-settings/sample-row.fixture.ts'
import { createKnobResolver, type KnobPayment, type ScoringDefaults, SHIPPED_SCORING_DEFAULTS } from './knobs.ts'

const debitOnVisa: KnobPayment = {
  paymentType: 'ORDER_PAYMENT',
  paymentMethodType: 'CARD',
  paymentMethod: 'DEBIT',
  cardNetwork: 'VISA',
  cardIsIn: null,
  currency: 'USD',
  country: null,
  authType: 'NO_THREE_DS',
}

const withRows = (...rows: readonly Partial<SubLevelSettings>[]): SuccessRateSettings => ({
  ...NO_SETTINGS,
  subLevelInputConfig: rows.map((row) => ({ ...SAMPLE_ROW, ...row })),
})

type Resolve = (settings: SuccessRateSettings | null, payment: KnobPayment) => ScoringKnobs

/** For merchants without the flag for adaptive windows. */
const resolverOf = (defaults: ScoringDefaults): Resolve => {
  const resolveKnobs = createKnobResolver(defaults)
  return (settings, payment) => resolveKnobs({ settings, adaptive: false }, payment)
}
const resolve = resolverOf(SHIPPED_SCORING_DEFAULTS)

describe('scoring knobs', () => {
  test('a merchant without settings gets those of the deployment', () => {
    expect(resolve(null, debitOnVisa)).toEqual({
      bucketSize: 125,
      hedgingPercent: 5,
      latencyThresholdMs: 90_000,
      outcomeWindowMs: 1_800_000,
      adaptive: false,
      extraScores: [],
      sources: {
        bucketSize: 'DEPLOYMENT_DEFAULT',
        hedgingPercent: 'DEPLOYMENT_DEFAULT',
        latencyThreshold: 'DEPLOYMENT_DEFAULT',
        extraScores: 'CONSTANT',
      },
    })
  })

  test('a deployment without settings gets the constants', () => {
    const bare = resolverOf({ settings: null, outcomeWindowMs: 1_800_000 })
    expect(bare(NO_SETTINGS, debitOnVisa)).toEqual({
      bucketSize: 125,
      hedgingPercent: 5,
      latencyThresholdMs: 300_000,
      outcomeWindowMs: 1_800_000,
      adaptive: false,
      extraScores: [],
      sources: { bucketSize: 'CONSTANT', hedgingPercent: 'CONSTANT', latencyThreshold: 'CONSTANT', extraScores: 'CONSTANT' },
    })
  })

  test('the worked example of 5.3: each knob comes from its own most specific row', () => {
    const settings = withRows(
      { hedgingPercent: 8 },
      { paymentMethod: 'DEBIT', cardNetwork: 'VISA', currency: 'USD', hedgingPercent: 20 },
      { paymentMethod: 'DEBIT', bucketSize: 300 },
    )
    expect(resolve(settings, debitOnVisa)).toMatchObject({
      hedgingPercent: 20,
      bucketSize: 300,
      sources: { bucketSize: 'MERCHANT_ROW', hedgingPercent: 'MERCHANT_ROW', latencyThreshold: 'DEPLOYMENT_DEFAULT' },
    })
  })

  test('the worked example of platform 8.1: a row that lacks a knob leaves it to a less specific one', () => {
    const settings = withRows(
      { bucketSize: 100, hedgingPercent: 1 },
      { currency: 'USD', bucketSize: 200, hedgingPercent: 2 },
      { cardNetwork: 'VISA', currency: 'USD', hedgingPercent: 3 },
    )
    expect(resolve(settings, debitOnVisa)).toMatchObject({ bucketSize: 200, hedgingPercent: 3 })
  })

  test('what people wrote comes before what the self-tuning wrote, however specific that is', () => {
    const tuned = { source: 'autopilot', paymentMethod: 'DEBIT', cardNetwork: 'VISA', bucketSize: 400, hedgingPercent: 9 }
    const knobs = resolve(withRows(tuned, { bucketSize: 60 }), debitOnVisa)
    expect([knobs.bucketSize, knobs.hedgingPercent]).toEqual([60, 9])
  })

  test('a row finds payments that decisions keep in another spelling or shorter: 3-D Secure 2, and more than eight digits of a card', () => {
    const settings = withRows({ authType: 'THREE_DS2', bucketSize: 40 }, { cardIsIn: '4111111234', hedgingPercent: 30 })
    expect(resolve(settings, { ...debitOnVisa, authType: 'THREE_DS_2' })).toMatchObject({ bucketSize: 40, hedgingPercent: 5 })
    expect(resolve(settings, { ...debitOnVisa, cardIsIn: '41111112' })).toMatchObject({ bucketSize: 125, hedgingPercent: 30 })
  })

  test('a row finds payments whose digits of a card are cut inside of a character, as its own are', () => {
    const settings = withRows({ cardIsIn: '4111111😀', hedgingPercent: 30 })
    expect(resolve(settings, { ...debitOnVisa, cardIsIn: '4111111\ufffd' })).toMatchObject({ hedgingPercent: 30 })
  })

  test('a row whose other dimensions a form had left empty applied to no payment', () => {
    const empty = { paymentMethod: '', cardNetwork: '', cardIsIn: '', currency: '', country: '', authType: '' }
    expect(resolve(withRows({ ...empty, bucketSize: 40 }), debitOnVisa).bucketSize).toBe(40)
    expect(resolve(withRows({ ...empty, bucketSize: 40 }, { currency: 'USD', bucketSize: 60 }), debitOnVisa).bucketSize).toBe(60)
  })

  test('among equally specific rows the earliest wins', () => {
    const settings = withRows({ currency: 'USD', bucketSize: 200 }, { cardNetwork: 'VISA', bucketSize: 300 })
    expect(resolve(settings, debitOnVisa).bucketSize).toBe(200)
  })

  test.each([
    ['without a method type matches nothing', { paymentMethodType: null, bucketSize: 200 }],
    ['of another spelling does not match', { paymentMethodType: 'card', bucketSize: 200 }],
    ['of another authentication does not match', { authType: 'THREE_DS', bucketSize: 200 }],
    ['for a value that the payment lacks does not match', { country: 'US', bucketSize: 200 }],
  ])('a row %s', (_, row) => {
    expect(resolve({ ...withRows(row), defaultBucketSize: 150 }, debitOnVisa).bucketSize).toBe(150)
  })

  test('an invalid value leaves the knob to the deployment, not to the default of its own config', () => {
    expect(resolve({ ...withRows({ bucketSize: 0 }), defaultBucketSize: 150 }, debitOnVisa).bucketSize).toBe(125)
    expect(resolve({ ...NO_SETTINGS, defaultHedgingPercent: -1 }, debitOnVisa).hedgingPercent).toBe(5)
  })

  test('zero exploration is a valid wish, a window of one too', () => {
    const settings = { ...NO_SETTINGS, defaultHedgingPercent: 0, defaultBucketSize: 1 }
    expect(resolve(settings, debitOnVisa)).toMatchObject({ hedgingPercent: 0, bucketSize: 1 })
  })

  test('what no window can hold is cut to the limit', () => {
    const settings = { ...NO_SETTINGS, defaultHedgingPercent: 500, defaultBucketSize: 2_000_000_000 }
    expect(resolve(settings, debitOnVisa)).toMatchObject({ hedgingPercent: 100, bucketSize: 10_000 })
  })

  test.each(['MANDATE_PAYMENT', 'EMANDATE_PAYMENT', 'TPV_MANDATE_PAYMENT', 'TPV_EMANDATE_PAYMENT'])(
    'outcomes of %s count without limit of time',
    (paymentType) => {
      expect(resolve(null, { ...debitOnVisa, paymentType }).outcomeWindowMs).toBeNull()
      expect(resolve(null, debitOnVisa).outcomeWindowMs).toBe(1_800_000)
    },
  )

  test('settings without rows are resolved once: the same object answers the next payment', () => {
    const settings = { ...NO_SETTINGS, defaultBucketSize: 240 }
    expect(resolve(settings, debitOnVisa)).toBe(resolve(settings, { ...debitOnVisa, currency: 'EUR' }))
    expect(resolve(settings, debitOnVisa).bucketSize).toBe(240)
  })

  test('boosts come from the best row that has some, else from the default, the merchant before the deployment', () => {
    const boost = (gatewaySigmaFactor: number) => [{ gatewayName: 'adyen', gatewaySigmaFactor }]
    const settings = {
      ...withRows(
        { paymentMethod: 'DEBIT', gatewayExtraScore: boost(2) },
        { gatewayExtraScore: boost(3) },
        { currency: 'USD', paymentMethod: 'DEBIT' },
      ),
      defaultGatewayExtraScore: boost(1),
    }
    const from = (resolver: typeof resolve, chosen: SuccessRateSettings | null, payment: KnobPayment) => {
      const { extraScores, sources } = resolver(chosen, payment)
      return [extraScores, sources?.extraScores]
    }
    expect(from(resolve, settings, debitOnVisa)).toEqual([boost(2), 'MERCHANT_ROW'])
    expect(from(resolve, settings, { ...debitOnVisa, paymentMethod: 'CREDIT' })).toEqual([boost(3), 'MERCHANT_ROW'])
    expect(from(resolve, settings, { ...debitOnVisa, paymentMethodType: 'UPI' })).toEqual([boost(1), 'MERCHANT_DEFAULT'])
    const deployment = resolverOf({ ...SHIPPED_SCORING_DEFAULTS, settings: { ...NO_SETTINGS, defaultGatewayExtraScore: boost(4) } })
    expect(from(deployment, NO_SETTINGS, debitOnVisa)).toEqual([boost(4), 'DEPLOYMENT_DEFAULT'])
  })

  test('the flag makes windows adaptive and changes nothing else', () => {
    const resolveKnobs = createKnobResolver(SHIPPED_SCORING_DEFAULTS)
    const plain = resolveKnobs({ settings: null, adaptive: false }, debitOnVisa)
    expect(resolveKnobs({ settings: null, adaptive: true }, debitOnVisa)).toEqual({ ...plain, adaptive: true })
  })
})
