import type { SubLevelSettings } from '@switchyard/events'

/** For tests: an entry for cards that sets nothing. */
export const SAMPLE_ROW: SubLevelSettings = {
  paymentMethodType: 'CARD',
  paymentMethod: null,
  cardNetwork: null,
  cardIsIn: null,
  currency: null,
  country: null,
  authType: null,
  source: null,
  latencyThresholdSeconds: null,
  bucketSize: null,
  hedgingPercent: null,
  lowerResetFactor: null,
  upperResetFactor: null,
  gatewayExtraScore: null,
}
