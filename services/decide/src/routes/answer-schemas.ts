import * as z from 'zod'

const text = z.string()
const textOrNull = z.string().nullable()
const objectOrNull = z.record(text, z.unknown()).nullable()
const connector = z.object({ gateway_name: text, gateway_id: textOrNull })

const flag = z.boolean()
const numberOrNull = z.number().nullable()

const priorityLogicOutput = z.object({
  isEnforcement: flag,
  gws: z.array(text),
  priorityLogicTag: textOrNull,
  gatewayReferenceIds: z.record(text, z.unknown()),
  primaryLogic: z.object({ name: text, status: z.enum(['SUCCESS', 'FAILURE']), failure_reason: text }).nullable(),
  fallbackLogic: objectOrNull,
})

const weighedInShort = z.object({ psp: text, authRate: z.number(), costBps: z.number() })

const multiObjectiveInfo = z.object({
  outcome: text,
  reason: text,
  costSavedBps: numberOrNull,
  qualifiedCount: z.number().int(),
  margin: numberOrNull,
  evGapTop2: numberOrNull,
  ranked: z
    .array(
      weighedInShort.extend({
        costSource: z.enum(['IN_HOUSE', 'SEED']),
        costModel: z.object({
          brand: text.optional(),
          variant: text.optional(),
          issuer: text.optional(),
          ccy: text,
          icCategory: text.optional(),
          pctBps: z.number(),
          fixedFee: z.number(),
        }),
        ev: z.number(),
        isSrHead: flag,
        isChosen: flag,
      }),
    )
    .optional(),
  srHead: weighedInShort.optional(),
  chosen: weighedInShort.optional(),
})

const errorClass = z.object({
  decision: text,
  stepUpPossible: flag,
  clearPanPossible: flag,
  alternateNetworkPossible: flag,
  unifiedCode: textOrNull,
  unifiedMessage: textOrNull,
  errorCategory: textOrNull,
  standardisedCode: textOrNull,
  description: textOrNull,
  userGuidanceMessage: textOrNull,
})

const decisionSchema = z.object({
  decided_gateway: text,
  fallback_gateways: z.array(text),
  gateway_priority_map: z.record(text, z.number()).nullable(),
  filter_wise_gateways: z.null(),
  priority_logic_tag: textOrNull,
  routing_approach: text,
  gateway_before_evaluation: textOrNull,
  priority_logic_output: priorityLogicOutput.nullable(),
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
  multi_objective_info: multiObjectiveInfo.nullable(),
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
  gsm_info: errorClass.optional(),
})

export const uploadedLine: z.ZodType = z.object({
  line: z.number().int(),
  result: z.enum(['accepted', 'duplicate', 'refused']),
  position: text.optional(),
  code: text.optional(),
  message: text.optional(),
})

/** One of the four forms of an output. */
const evaluatedOutput = z.union([
  z.object({ type: z.literal('straight_through'), connector }),
  z.object({ type: z.literal('priority'), connectors: z.array(connector) }),
  z.object({ type: z.literal('volume_split'), splits: z.array(z.object({ connector, split: z.number() })) }),
  z.object({ type: z.literal('volume_split_priority'), splits: z.array(z.object({ connectors: z.array(connector), split: z.number() })) }),
])

const tracedRule = z.object({
  rule: text,
  result: z.enum(['matched', 'failed', 'not_reached', 'error']),
  failed: z.array(z.object({ path: text, lhs: text, comparison: text, seen: z.object({ type: text, value: z.unknown() }).nullable() })),
})

const evaluationSchema = z.object({
  payment_id: textOrNull,
  status: z.enum(['success', 'default_selection']),
  output: evaluatedOutput,
  evaluated_output: z.array(connector),
  eligible_connectors: z.array(connector),
  trace: z.array(tracedRule).optional(),
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

export const gatewayErrorRules: z.ZodType = z.object({
  rules: z.array(errorClass.extend({ connector: text, flow: text, subFlow: text, code: text, message: text })),
})
