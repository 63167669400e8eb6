import * as z from 'zod'

const text = z.string()
const textOrNull = z.string().nullable()
const time = z.iso.datetime()
const numberOrNull = z.number().nullable()

const membership = z.object({ merchant_id: text, merchant_name: text, role: z.enum(['admin', 'member']) })
const identity = { user_id: text, email: text, merchant_id: text, role: z.enum(['admin', 'member']), merchants: z.array(membership) }

/** What routes answer when all went well (platform.md 4 to 8, rules.md 3); for the API's description. */
export const message: z.ZodType = z.object({ message: text })
export const messageOfMerchant: z.ZodType = z.object({ message: text, merchant_id: text })

export const membershipList: z.ZodType = z.array(membership)
export const session: z.ZodType = z.object({ token: text, ...identity })
export const sessionIdentity: z.ZodType = z.object({
  ...identity,
  email_verified: z.boolean(),
  is_super_admin: z.boolean(),
  is_super_admin_view: z.boolean(),
  permissions: z.array(text),
})

const keyFields = {
  key_id: text,
  key_prefix: text,
  merchant_id: text,
  description: textOrNull,
  created_at: time,
  expires_at: time.nullable(),
}
export const issuedApiKey: z.ZodType = z.object({ ...keyFields, api_key: text })
export const apiKeyList: z.ZodType = z.array(z.object({ ...keyFields, is_active: z.boolean(), last_used_at: time.nullable().optional() }))
export const revokedApiKey: z.ZodType = z.object({ key_id: text, message: text })

export const createdMerchant: z.ZodType = z.object({
  message: text,
  merchant_id: text,
  gateway_success_rate_based_decider_input: textOrNull,
  api_key: textOrNull,
})
export const merchantAccount: z.ZodType = z.object({ merchant_id: text, gateway_success_rate_based_decider_input: text })

export const features: z.ZodType = z.object({
  merchant_id: text,
  features: z.array(z.object({ feature: text, enabled: z.boolean() })),
})
export const debitRoutingFlag: z.ZodType = z.object({ merchant_id: text, debit_routing_enabled: z.boolean() })

const ruleConfig = z.object({ type: z.enum(['successRate', 'elimination', 'debitRouting']), data: z.record(text, z.unknown()) })
export const storedRuleConfig: z.ZodType = z.object({ merchant_id: text, config: ruleConfig })
export const writtenRuleConfig: z.ZodType = z.object({ message: text, merchant_id: text, config: ruleConfig })

export const scoringDimensionsAnswer: z.ZodType = z.object({
  merchant_id: text,
  paymentInfo: z.object({ udfs: z.array(z.int32()), fields: z.array(text).nullable() }),
})

export const routingKeyCatalogue: z.ZodType = z.object({
  keys: z.record(
    text,
    z.object({
      type: text,
      values: textOrNull,
      min_value: numberOrNull,
      max_value: numberOrNull,
      min_length: numberOrNull,
      max_length: numberOrNull,
      exact_length: numberOrNull,
      regex: textOrNull,
    }),
  ),
})

const algorithmFields = { name: text, algorithm_for: text, created_at: time, modified_at: time }
export const algorithmSummary: z.ZodType = z.object({ rule_id: text, ...algorithmFields, warnings: z.array(text).optional() })
export const algorithmList: z.ZodType = z.array(
  z.object({
    id: text,
    created_by: text,
    description: text,
    algorithm_data: z.object({ type: text, data: z.unknown() }).nullable(),
    ...algorithmFields,
  }),
)
export const discardedAlgorithm: z.ZodType = z.object({ status: z.literal('deleted'), routing_algorithm_id: text })

const timeOrNull = time.nullable()
const armSettings = z
  .object({
    hedging_percent: numberOrNull,
    elimination_threshold: numberOrNull,
    enable_multi_objective: z.boolean().nullable(),
    margin: numberOrNull,
    use_autopilot: z.boolean().nullable(),
  })
  .nullable()
export const experimentList: z.ZodType = z.array(
  z.object({
    experiment_id: text,
    name: text,
    description: text,
    state: z.enum(['draft', 'running', 'not_collecting', 'promoted', 'stopped']),
    started_at: timeOrNull,
    ended_at: timeOrNull,
    ended_by: textOrNull,
    promoted_arm: textOrNull,
    control_algorithm_id: text,
    variant_algorithm_id: text,
    variant_split_pct: z.int(),
    min_sample_size: z.int(),
    guardrail_threshold_pp: z.number(),
    control_sr_config: armSettings,
    variant_sr_config: armSettings,
    auto_stop: z.boolean(),
    created_at: time,
    modified_at: time,
  }),
)
export const promotedArm: z.ZodType = z.object({
  status: z.literal('promoted'),
  routing_algorithm_id: text,
  arm: z.enum(['control', 'variant']),
  active_algorithm_id: textOrNull,
  sr_config: armSettings,
})

export const undoneTuning: z.ZodType = z.object({ merchant_id: text, removed_overrides: z.int(), autopilot: z.literal(false) })

/** Signing up where addresses are verified first. */
export const signedUp: z.ZodType = z.union([session, z.object({ message: text, email_verification_required: z.literal(true) })])
/** What an account is after it was closed to its owner, or opened again. */
export const userActivity: z.ZodType = z.object({ user_id: text, email: text, is_active: z.boolean() })
export const handoffCode: z.ZodType = z.object({ code: text, expires_in: z.int() })
const member = { email: text, role: z.enum(['admin', 'member']) }
export const memberList: z.ZodType = z.array(z.object({ user_id: text, ...member }))
export const invitation: z.ZodType = z.object({ ...member, is_new_user: z.boolean(), password: text.optional() })
export const foundMerchants: z.ZodType = z.array(z.object({ merchant_id: text, merchant_name: text, members: z.array(z.object(member)) }))
export const onboardedMerchant: z.ZodType = z.object({
  token: text,
  merchant_id: text,
  merchant_name: text,
  merchants: z.array(membership),
})
