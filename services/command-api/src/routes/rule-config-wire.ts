import type { GatewayExtraScore, SubLevelSettings, SuccessRateSettings } from '@switchyard/events'
import { assertNever, NAME_LENGTH_MAX } from '@switchyard/kernel'
import { type DebitDefaults, type Elimination, EXTRA_SCORE_COUNT_MAX, SUB_LEVEL_COUNT_MAX } from '@switchyard/routing'
import * as z from 'zod'

/** Types of rule configuration. */
export type RuleConfigType = 'successRate' | 'elimination' | 'debitRouting'

/** A configuration as it was sent, in the words of the domain. */
export type RuleConfig =
  | { readonly type: 'successRate'; readonly settings: SuccessRateSettings }
  | { readonly type: 'elimination'; readonly settings: Elimination }
  | { readonly type: 'debitRouting'; readonly settings: DebitDefaults }

/** Body of `/rule/create` and `/rule/update`. */
export interface RuleConfigRequest {
  readonly merchantId: string
  readonly config: RuleConfig
}

/** Body of `/rule/get` and `/rule/delete`. */
export interface RuleConfigReference {
  readonly merchantId: string
  readonly type: RuleConfigType
}

const text = z.string().max(NAME_LENGTH_MAX)
const optionalText = text.nullish().transform((value) => value ?? null)
const optionalNumber = z
  .number()
  .nullish()
  .transform((value) => value ?? null)
const optionalInteger = z
  .number()
  .int()
  .nullish()
  .transform((value) => value ?? null)

/** A list, looked at up to the first entry that is too many: a body holds hundreds of thousands, and the domain refuses such a list for its length. */
const listOf = <Entry>(entry: z.ZodType<Entry>, countMax: number): z.ZodType<readonly Entry[]> =>
  z.preprocess((sent) => (Array.isArray(sent) ? sent.slice(0, countMax + 1) : sent), z.array(entry))

const extraScoreSchema: z.ZodType<readonly GatewayExtraScore[] | null> = listOf(
  z.object({ gatewayName: text, gatewaySigmaFactor: z.number() }),
  EXTRA_SCORE_COUNT_MAX,
)
  .nullish()
  .transform((value) => value ?? null)

const subLevelSchema: z.ZodType<SubLevelSettings> = z
  .object({
    paymentMethodType: optionalText,
    paymentMethod: optionalText,
    cardNetwork: optionalText,
    cardIsIn: optionalText,
    currency: optionalText,
    country: optionalText,
    authType: optionalText,
    source: optionalText,
    latencyThreshold: optionalNumber,
    bucketSize: optionalInteger,
    hedgingPercent: optionalNumber,
    lowerResetFactor: optionalNumber,
    upperResetFactor: optionalNumber,
    gatewayExtraScore: extraScoreSchema,
  })
  .transform(({ latencyThreshold, ...rest }) => ({ ...rest, latencyThresholdSeconds: latencyThreshold }))

const successRateSchema: z.ZodType<SuccessRateSettings> = z
  .object({
    defaultLatencyThreshold: optionalNumber,
    defaultBucketSize: optionalInteger,
    defaultHedgingPercent: optionalNumber,
    defaultLowerResetFactor: optionalNumber,
    defaultUpperResetFactor: optionalNumber,
    defaultGatewayExtraScore: extraScoreSchema,
    subLevelInputConfig: listOf(subLevelSchema, SUB_LEVEL_COUNT_MAX)
      .nullish()
      .transform((value) => value ?? null),
    margin: optionalNumber,
  })
  .transform(({ defaultLatencyThreshold, ...rest }) => ({ ...rest, defaultLatencyThresholdSeconds: defaultLatencyThreshold }))

const eliminationSchema: z.ZodType<Elimination> = z
  .object({ threshold: z.number(), txnLatency: z.object({ gatewayLatency: optionalNumber }).nullish() })
  .transform(({ threshold, txnLatency }) => ({
    threshold,
    latency: txnLatency ? { gatewayLatencyMs: txnLatency.gatewayLatency } : null,
  }))

const TYPES = ['successRate', 'elimination', 'debitRouting'] as const satisfies readonly RuleConfigType[]

const configSchema: z.ZodType<RuleConfig> = z
  .discriminatedUnion(
    'type',
    [
      z.object({ type: z.literal('successRate'), data: successRateSchema }),
      z.object({ type: z.literal('elimination'), data: eliminationSchema }),
      z.object({ type: z.literal('debitRouting'), data: z.object({ merchantCategoryCode: text, acquirerCountry: text }) }),
    ],
    { error: `expected an object whose type is one of ${TYPES.join(', ')}` },
  )
  .transform((sent): RuleConfig => {
    switch (sent.type) {
      case 'successRate':
        return { type: sent.type, settings: sent.data }
      case 'elimination':
        return { type: sent.type, settings: sent.data }
      case 'debitRouting':
        return { type: sent.type, settings: sent.data }
      default:
        return assertNever(sent)
    }
  })

/** `{merchant_id, config: {type, data}}` (platform.md 8). */
export const ruleConfigRequestSchema: z.ZodType<RuleConfigRequest> = z
  .object({ merchant_id: z.string(), config: configSchema })
  .transform(({ merchant_id, config }) => ({ merchantId: merchant_id, config }))

/** `{merchant_id, algorithm}` (platform.md 8). */
export const ruleConfigReferenceSchema: z.ZodType<RuleConfigReference> = z
  .object({ merchant_id: z.string(), algorithm: z.enum(TYPES) })
  .transform(({ merchant_id, algorithm }) => ({ merchantId: merchant_id, type: algorithm }))

/** Dimensions that are not set are left out, the first two and the knobs are null (platform.md 8.1). */
const printSubLevel = (entry: SubLevelSettings): object => {
  const { cardNetwork, cardIsIn, currency, country, authType, source } = entry
  const set = Object.entries({ cardNetwork, cardIsIn, currency, country, authType, source }).filter(([, value]) => value !== null)
  return {
    paymentMethodType: entry.paymentMethodType,
    paymentMethod: entry.paymentMethod,
    ...Object.fromEntries(set),
    latencyThreshold: entry.latencyThresholdSeconds,
    bucketSize: entry.bucketSize,
    hedgingPercent: entry.hedgingPercent,
    lowerResetFactor: entry.lowerResetFactor,
    upperResetFactor: entry.upperResetFactor,
    gatewayExtraScore: entry.gatewayExtraScore,
  }
}

const printSuccessRate = (settings: SuccessRateSettings): object => ({
  defaultLatencyThreshold: settings.defaultLatencyThresholdSeconds,
  defaultBucketSize: settings.defaultBucketSize,
  defaultHedgingPercent: settings.defaultHedgingPercent,
  defaultLowerResetFactor: settings.defaultLowerResetFactor,
  defaultUpperResetFactor: settings.defaultUpperResetFactor,
  defaultGatewayExtraScore: settings.defaultGatewayExtraScore,
  subLevelInputConfig: settings.subLevelInputConfig?.map(printSubLevel) ?? null,
  margin: settings.margin,
})

/** `{type, data}` of an answer. */
export const printRuleConfig = (config: RuleConfig): { readonly type: RuleConfigType; readonly data: object } => {
  switch (config.type) {
    case 'successRate':
      return { type: config.type, data: printSuccessRate(config.settings) }
    case 'elimination': {
      const { threshold, latency } = config.settings
      return { type: config.type, data: { threshold, txnLatency: latency && { gatewayLatency: latency.gatewayLatencyMs } } }
    }
    case 'debitRouting': {
      const { merchantCategoryCode, acquirerCountry } = config.settings
      return { type: config.type, data: { merchantCategoryCode, acquirerCountry } }
    }
    default:
      return assertNever(config)
  }
}
