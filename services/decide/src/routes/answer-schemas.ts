import { z } from 'zod'

const text = z.string()
const textOrNull = z.string().nullable()
const objectOrNull = z.record(text, z.unknown()).nullable()
const connector = z.object({ gateway_name: text, gateway_id: textOrNull })

const decisionSchema = z.object({
  decided_gateway: text,
  fallback_gateways: z.array(text),
  gateway_priority_map: z.record(text, z.number()).nullable(),
  filter_wise_gateways: z.null(),
  priority_logic_tag: textOrNull,
  routing_approach: text,
  gateway_before_evaluation: textOrNull,
  priority_logic_output: objectOrNull,
  debit_routing_output: z
    .object({
      co_badged_card_networks_info: z.array(
        z.object({ network: text, saving_percentage: z.number(), supporting_gateways: z.array(text).optional() }),
      ),
      issuer_country: text,
      is_regulated: z.boolean(),
      regulated_name: textOrNull,
      card_type: text,
    })
    .nullable(),
  reset_approach: text,
  routing_dimension: textOrNull,
  routing_dimension_level: textOrNull,
  is_scheduled_outage: z.boolean(),
  is_dynamic_mga_enabled: z.boolean(),
  gateway_mga_id_map: objectOrNull,
  is_rust_based_decider: z.boolean(),
  latency: z.number().int(),
  multi_objective_info: objectOrNull,
  experiment: z.object({ id: text, arm: z.enum(['control', 'variant']) }).optional(),
})

/** What routes answer when all went well (decide.md 3, 6, 10, 13, rules.md 6 and 9); for the API's description. */
export const decision: z.ZodType = decisionSchema

export const legacyDecision: z.ZodType = z.object({
  decided_gateway: decisionSchema,
  filter_list: z.array(z.unknown()),
  latency: z.number().nullable(),
})

export const acknowledgedOutcome: z.ZodType = z.object({
  message: text,
  merchant_id: text,
  gateway: text,
  payment_id: text,
  gsm_info: z.record(text, z.unknown()).optional(),
})

export const uploadedLine: z.ZodType = z.object({
  line: z.number().int(),
  result: z.enum(['accepted', 'duplicate', 'refused']),
  position: text.optional(),
  code: text.optional(),
  message: text.optional(),
})

const evaluationSchema = z.object({
  payment_id: textOrNull,
  status: z.enum(['success', 'default_selection']),
  output: z.record(text, z.unknown()),
  evaluated_output: z.array(connector),
  eligible_connectors: z.array(connector),
  trace: z.array(z.record(text, z.unknown())).optional(),
})
export const evaluation: z.ZodType = evaluationSchema

export const hybridAnswer: z.ZodType = z.object({
  evaluated_connectors: z.array(connector),
  static_routing: evaluationSchema.optional(),
  dynamic_routing: z
    .object({
      status: z.enum(['success', 'fallback']),
      decision: decisionSchema.nullable(),
      fallback_connectors: z.array(connector).nullable(),
    })
    .optional(),
})

export const resetCounts: z.ZodType = z.object({
  merchant_id: text,
  deleted_keys: z.number().int(),
  removed_overrides: z.number().int(),
})

export const gatewayErrorRules: z.ZodType = z.object({ rules: z.array(z.record(text, z.unknown())) })
