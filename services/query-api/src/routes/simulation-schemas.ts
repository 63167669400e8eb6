import * as z from 'zod'

const text = z.string()
const textOrNull = z.string().nullable()
const flag = z.boolean()
const count = z.number().int()
const timeMs = z.number().int()
const numberOrNull = z.number().nullable()
const interval = z.array(z.number()).length(2).nullable()

const failure = z.object({ type: z.literal('error'), code: text, message: text })

const group = { payments: count, approved: count, declined: count, approval_rate: numberOrNull }

/** A line of a simulation; for the API's description. */
export const simulationLine: z.ZodType = z.union([
  z.object({ type: z.literal('progress'), examined: count, changed: count }),
  z.object({
    type: z.literal('result'),
    routing_algorithm_id: text,
    examined: count,
    truncated: flag,
    changed: z.object(group),
    unchanged: z.object(group),
    not_evaluated: z.object(group),
    moves: z.array(z.object({ from: text, to: text, ...group })),
    other_moves: z.object(group).optional(),
  }),
  failure,
])

const money = z.object({
  recorded: z.number(),
  estimated: numberOrNull,
  confidence_interval: interval,
  change: numberOrNull,
  change_confidence_interval: interval,
})

const costOfCurrency = z.object({
  currency: text,
  payments: count,
  unpriced_payments: count,
  answerable: flag,
  reason: textOrNull,
  approved_amount: money,
  cost: money,
  cost_bps: z.object({ recorded: numberOrNull, estimated: numberOrNull }),
})

/** A line of a back-test. */
export const backTestLine: z.ZodType = z.union([
  z.object({ type: z.literal('progress'), events: count, reached_at_ms: timeMs.nullable() }),
  z.object({
    type: z.literal('result'),
    merchant_id: text,
    start_ms: timeMs,
    end_ms: timeMs,
    answerable: flag,
    reason: textOrNull,
    reason_in_words: textOrNull,
    decisions: z.object({ total: count, weighed: count, without_end: count, not_weighable: count }),
    recorded: z.object({ approval_rate: numberOrNull }),
    estimated: z.object({ approval_rate: z.number(), confidence_interval: interval }).nullable(),
    gain_pp: numberOrNull,
    gain_confidence_interval_pp: interval,
    moved_share: z.number(),
    untried_share: z.number(),
    evidence_count: count,
    cost_weighed: count,
    cost: z.array(costOfCurrency).nullable(),
    cost_reason: textOrNull,
    assumptions: z.array(text),
    truncated: flag,
  }),
  failure,
])
