import { assertNever, NAME_LENGTH_MAX } from '@switchyard/kernel'
import type { Comparison, ConditionValue, ConnectorReference } from '@switchyard/routing'
import * as z from 'zod'

/** Comparison words of the interface (rules.md 2.5). */
const COMPARISONS = {
  equal: 'equal',
  not_equal: 'notEqual',
  less_than: 'lessThan',
  less_than_equal: 'lessThanEqual',
  greater_than: 'greaterThan',
  greater_than_equal: 'greaterThanEqual',
} as const satisfies Readonly<Record<string, Comparison>>

type ComparisonWord = keyof typeof COMPARISONS

const WORDS: Readonly<Record<Comparison, ComparisonWord>> = {
  equal: 'equal',
  notEqual: 'not_equal',
  lessThan: 'less_than',
  lessThanEqual: 'less_than_equal',
  greaterThan: 'greater_than',
  greaterThanEqual: 'greater_than_equal',
}

/** A comparison word. */
export const comparisonSchema: z.ZodType<Comparison> = z
  .enum(['equal', 'not_equal', 'less_than', 'less_than_equal', 'greater_than', 'greater_than_equal'])
  .transform((word) => COMPARISONS[word])

/** The interface's word of a comparison. */
export const printComparison = (comparison: Comparison): string => WORDS[comparison]

/**
 * `{gateway_name, gateway_id}`; the id may be absent on input and is always there on output (rules.md 2.3). Both are bounded:
 * every evaluation records them.
 */
export const connectorSchema: z.ZodType<ConnectorReference> = z
  .object({ gateway_name: z.string().max(NAME_LENGTH_MAX), gateway_id: z.string().max(NAME_LENGTH_MAX).nullish() })
  .transform(({ gateway_name, gateway_id }) => ({ gatewayName: gateway_name, gatewayId: gateway_id ?? null }))

/** A connector reference as clients see it. */
export const printConnector = ({ gatewayName, gatewayId }: ConnectorReference): object => ({
  gateway_name: gatewayName,
  gateway_id: gatewayId,
})

/**
 * Any non-negative number up to where integers stop being exact (rules.md S4): a greater one has been rounded by the time it is read.
 * Nothing behind a wrong one is looked at: lists of numbers may be long.
 */
const numberSchema = z
  .number()
  .nonnegative({ abort: true })
  .max(Number.MAX_SAFE_INTEGER, { error: `numbers above ${Number.MAX_SAFE_INTEGER} can't be represented exactly`, abort: true })

const VALUE_TYPES =
  'number, number_array, number_comparison_array, enum_variant, enum_variant_array, str_value, metadata_variant, global_ref'

const sentValueSchema = z.discriminatedUnion(
  'type',
  [
    z.object({ type: z.literal('number'), value: numberSchema }),
    z.object({ type: z.literal('number_array'), value: z.array(numberSchema) }),
    z.object({
      type: z.literal('number_comparison_array'),
      value: z.array(z.object({ comparison_type: comparisonSchema, number: numberSchema })),
    }),
    z.object({ type: z.literal('enum_variant'), value: z.string() }),
    z.object({ type: z.literal('enum_variant_array'), value: z.array(z.string()) }),
    z.object({ type: z.literal('str_value'), value: z.string() }),
    z.object({ type: z.literal('metadata_variant'), value: z.object({ key: z.string(), value: z.string() }) }),
    z.object({ type: z.literal('global_ref'), value: z.string() }),
  ],
  { error: `expected an object whose type is one of ${VALUE_TYPES}` },
)

type SentValue = z.infer<typeof sentValueSchema>

const readValue = (sent: SentValue): ConditionValue => {
  switch (sent.type) {
    case 'number':
      return { type: 'number', value: sent.value }
    case 'number_array':
      return { type: 'numberArray', values: sent.value }
    case 'number_comparison_array':
      return {
        type: 'numberComparisons',
        comparisons: sent.value.map(({ comparison_type, number }) => ({ comparison: comparison_type, number })),
      }
    case 'enum_variant':
      return { type: 'enumVariant', value: sent.value }
    case 'enum_variant_array':
      return { type: 'enumVariantArray', values: sent.value }
    case 'str_value':
      return { type: 'text', value: sent.value }
    case 'metadata_variant':
      return { type: 'metadata', key: sent.value.key, value: sent.value.value }
    case 'global_ref':
      return { type: 'globalRef', name: sent.value }
    default:
      return assertNever(sent)
  }
}

/** `{type, value}` (rules.md 2.6). */
export const valueSchema: z.ZodType<ConditionValue> = sentValueSchema.transform(readValue)

/** A value as clients see it. */
export const printValue = (value: ConditionValue): object => {
  switch (value.type) {
    case 'number':
      return { type: 'number', value: value.value }
    case 'numberArray':
      return { type: 'number_array', value: value.values }
    case 'numberComparisons':
      return {
        type: 'number_comparison_array',
        value: value.comparisons.map(({ comparison, number }) => ({ comparison_type: printComparison(comparison), number })),
      }
    case 'enumVariant':
      return { type: 'enum_variant', value: value.value }
    case 'enumVariantArray':
      return { type: 'enum_variant_array', value: value.values }
    case 'text':
      return { type: 'str_value', value: value.value }
    case 'metadata':
      return { type: 'metadata_variant', value: { key: value.key, value: value.value } }
    case 'globalRef':
      return { type: 'global_ref', value: value.name }
    default:
      return assertNever(value)
  }
}
