import { ID_LENGTH_MAX, NAME_LENGTH_MAX } from '@switchyard/kernel'
import type { ConnectorReference, KnownPurpose, SentParameter } from '@switchyard/routing'
import { z } from 'zod'

/** Most parameters of an evaluation. */
const PARAMETER_COUNT_MAX = 200
/** Most connectors of a request's fallback. */
const FALLBACK_COUNT_MAX = 200

/** Body of `/routing/evaluate` (rules.md 6.1). */
export interface EvaluateRequest {
  readonly merchantId: string
  readonly paymentId: string | null
  readonly parameters: ReadonlyMap<string, SentParameter>
  readonly fallback: readonly ConnectorReference[]
  /** Which live algorithm is meant. */
  readonly purpose: KnownPurpose
  /** An algorithm to try out instead of the live one. */
  readonly algorithmId: string | null
  /** Asks for what became of each rule. */
  readonly isTraced: boolean
}

const VALUE_TYPES =
  'number, number_array, number_comparison_array, enum_variant, enum_variant_array, str_value, metadata_variant, global_ref'

/** Any non-negative number up to where integers stop being exact (rules.md S4): a greater one has been rounded by the time it is read. */
const numberSchema = z
  .number()
  .nonnegative()
  .max(Number.MAX_SAFE_INTEGER, `numbers above ${Number.MAX_SAFE_INTEGER} can't be represented exactly`)

const parameterSchema: z.ZodType<SentParameter> = z
  .discriminatedUnion(
    'type',
    [
      z.object({ type: z.literal('number'), value: numberSchema }),
      z.object({ type: z.literal('enum_variant'), value: z.string() }),
      z.object({ type: z.literal('str_value'), value: z.string() }),
      z.object({ type: z.literal('metadata_variant'), value: z.object({ key: z.string(), value: z.string() }) }),
      // Values that only conditions have: known words, so the answer is about the parameter and not about the body.
      z.object({
        type: z.enum(['number_array', 'number_comparison_array', 'enum_variant_array', 'global_ref']),
        value: z.unknown().optional(),
      }),
    ],
    { error: `expected null or an object whose type is one of ${VALUE_TYPES}` },
  )
  .transform((sent): SentParameter => {
    switch (sent.type) {
      case 'number':
        return { type: 'number', value: sent.value }
      case 'enum_variant':
        return { type: 'enumVariant', value: sent.value }
      case 'str_value':
        return { type: 'text', value: sent.value }
      case 'metadata_variant':
        return { type: 'metadata', key: sent.value.key, value: sent.value.value }
      default:
        return { type: 'unusable' }
    }
  })

const PURPOSES = {
  payment: 'PAYMENT',
  payout: 'PAYOUT',
  three_ds_authentication: 'THREE_DS_AUTHENTICATION',
} as const satisfies Readonly<Record<string, KnownPurpose>>

const connectorSchema: z.ZodType<ConnectorReference> = z
  .object({ gateway_name: z.string().max(NAME_LENGTH_MAX), gateway_id: z.string().max(NAME_LENGTH_MAX).nullish() })
  .transform(({ gateway_name, gateway_id }) => ({ gatewayName: gateway_name, gatewayId: gateway_id ?? null }))

/** Reads the body of `/routing/evaluate`. */
export const evaluateRequestSchema: z.ZodType<EvaluateRequest> = z
  .object({
    created_by: z.string(),
    parameters: z
      .record(z.string().max(NAME_LENGTH_MAX), parameterSchema.nullable())
      .refine((sent) => Object.keys(sent).length <= PARAMETER_COUNT_MAX, `expected at most ${PARAMETER_COUNT_MAX} parameters`),
    payment_id: z.string().max(ID_LENGTH_MAX).nullish(),
    fallback_output: z.array(connectorSchema).max(FALLBACK_COUNT_MAX).nullish(),
    routing_algorithm_id: z.string().nullish(),
    algorithm_for: z.enum(['payment', 'payout', 'three_ds_authentication']).nullish(),
    trace: z.boolean().nullish(),
  })
  .transform(({ created_by, parameters, payment_id, fallback_output, routing_algorithm_id, algorithm_for, trace }) => ({
    merchantId: created_by,
    paymentId: payment_id ?? null,
    parameters: new Map(Object.entries(parameters)),
    fallback: fallback_output ?? [],
    purpose: PURPOSES[algorithm_for ?? 'payment'],
    algorithmId: routing_algorithm_id ?? null,
    isTraced: trace ?? false,
  }))
