import { withFewMembers } from '@switchyard/http'
import { ID_LENGTH_MAX, NAME_LENGTH_MAX } from '@switchyard/kernel'
import * as z from 'zod'

/** Most parameters of an evaluation. */
export const PARAMETER_COUNT_MAX = 200
/** Most connectors of a request's fallback. */
export const FALLBACK_COUNT_MAX = 200

/** Types of values that only conditions have: known words, so the answer is about the parameter and not about the body. */
export const CONDITION_TYPES = ['number_array', 'number_comparison_array', 'enum_variant_array', 'global_ref'] as const
export const PURPOSE_WORDS = ['payment', 'payout', 'three_ds_authentication'] as const

/** A parameter as it is sent (rules.md 6.2). */
export type ParameterWire =
  | { readonly type: 'number'; readonly value: number }
  | { readonly type: 'enum_variant' | 'str_value'; readonly value: string }
  | { readonly type: 'metadata_variant'; readonly value: { readonly key: string; readonly value: string } }
  | { readonly type: (typeof CONDITION_TYPES)[number]; readonly value?: unknown }

/** A connector as it is sent. */
export interface ConnectorWire {
  readonly gateway_name: string
  readonly gateway_id?: string | null | undefined
}

/** Body of `/routing/evaluate` as it is sent (rules.md 6.1). */
export interface EvaluationWire {
  readonly created_by: string
  readonly parameters: Readonly<Record<string, ParameterWire | null>>
  readonly payment_id?: string | null | undefined
  readonly fallback_output?: readonly ConnectorWire[] | null | undefined
  readonly routing_algorithm_id?: string | null | undefined
  readonly algorithm_for?: (typeof PURPOSE_WORDS)[number] | null | undefined
  readonly trace?: boolean | null | undefined
}

/** Any non-negative number up to where integers stop being exact (rules.md S4): a greater one has been rounded by the time it is read. */
const numberSchema = z
  .number()
  .nonnegative()
  .max(Number.MAX_SAFE_INTEGER, `numbers above ${Number.MAX_SAFE_INTEGER} can't be represented exactly`)

const VALUE_TYPES =
  'number, number_array, number_comparison_array, enum_variant, enum_variant_array, str_value, metadata_variant, global_ref'

const parameterSchema = z.discriminatedUnion(
  'type',
  [
    z.object({ type: z.literal('number'), value: numberSchema }),
    z.object({ type: z.literal('enum_variant'), value: z.string() }),
    z.object({ type: z.literal('str_value'), value: z.string() }),
    z.object({ type: z.literal('metadata_variant'), value: z.object({ key: z.string(), value: z.string() }) }),
    z.object({ type: z.enum(CONDITION_TYPES), value: z.unknown().optional() }),
  ],
  { error: `expected null or an object whose type is one of ${VALUE_TYPES}` },
)

const connectorSchema = z.object({
  gateway_name: z.string().max(NAME_LENGTH_MAX),
  gateway_id: z.string().max(NAME_LENGTH_MAX).nullish(),
})

export const evaluationSchema: z.ZodType<EvaluationWire> = z.object({
  created_by: z.string(),
  parameters: withFewMembers(
    z.record(z.string().max(NAME_LENGTH_MAX), parameterSchema.nullable()),
    PARAMETER_COUNT_MAX,
    `expected at most ${PARAMETER_COUNT_MAX} parameters`,
  ),
  payment_id: z.string().max(ID_LENGTH_MAX).nullish(),
  fallback_output: z.array(connectorSchema).max(FALLBACK_COUNT_MAX).nullish(),
  routing_algorithm_id: z.string().nullish(),
  algorithm_for: z.enum(PURPOSE_WORDS).nullish(),
  trace: z.boolean().nullish(),
})
