import type { ExperimentOverrides } from '@switchyard/events'
import { ID_LENGTH_MAX } from '@switchyard/kernel'
import type { Experiment } from '@switchyard/routing'
import * as z from 'zod'

/** Absent and null are the same. */
const orNull = <Value>(schema: z.ZodType<Value>): z.ZodType<Value | null> => schema.nullish().transform((sent) => sent ?? null)

/** An arm's settings as they are sent; nothing set is the same as none. */
const overridesSchema: z.ZodType<ExperimentOverrides | null> = orNull(
  z
    .object({
      hedging_percent: orNull(z.number()),
      elimination_threshold: orNull(z.number()),
      enable_multi_objective: orNull(z.boolean()),
      margin: orNull(z.number()),
      use_autopilot: orNull(z.boolean()),
    })
    .transform((sent) => ({
      hedgingPercent: sent.hedging_percent,
      eliminationThreshold: sent.elimination_threshold,
      multiObjective: sent.enable_multi_objective,
      margin: sent.margin,
      useAutopilot: sent.use_autopilot,
    })),
).transform((overrides) => (overrides === null || Object.values(overrides).every((value) => value === null) ? null : overrides))

const armId = z.string().min(1).max(ID_LENGTH_MAX)

/** `algorithm.data` of an experiment (analytics.md 6.1); ranges are checked with the rest of its rules. */
export const experimentSchema: z.ZodType<Experiment> = z
  .object({
    control_algorithm_id: armId,
    variant_algorithm_id: armId,
    variant_split_pct: z.number(),
    min_sample_size: z.number(),
    guardrail_threshold_pp: z.number(),
    control_sr_config: overridesSchema,
    variant_sr_config: overridesSchema,
    auto_stop: orNull(z.boolean()),
  })
  .transform((sent) => ({
    control: { algorithmId: sent.control_algorithm_id, overrides: sent.control_sr_config },
    variant: { algorithmId: sent.variant_algorithm_id, overrides: sent.variant_sr_config },
    variantSplitPercent: sent.variant_split_pct,
    minSampleSize: sent.min_sample_size,
    guardrailThresholdPp: sent.guardrail_threshold_pp,
    autoStop: sent.auto_stop ?? false,
  }))

/** `*_sr_config` as lists show it. */
export const printOverrides = (overrides: ExperimentOverrides | null): object | null =>
  overrides && {
    hedging_percent: overrides.hedgingPercent,
    elimination_threshold: overrides.eliminationThreshold,
    enable_multi_objective: overrides.multiObjective,
    margin: overrides.margin,
    use_autopilot: overrides.useAutopilot,
  }

/** `algorithm.data` of an experiment as lists show it. */
export const printExperiment = (experiment: Experiment): object => ({
  control_algorithm_id: experiment.control.algorithmId,
  variant_algorithm_id: experiment.variant.algorithmId,
  variant_split_pct: experiment.variantSplitPercent,
  min_sample_size: experiment.minSampleSize,
  guardrail_threshold_pp: experiment.guardrailThresholdPp,
  control_sr_config: printOverrides(experiment.control.overrides),
  variant_sr_config: printOverrides(experiment.variant.overrides),
  auto_stop: experiment.autoStop,
})
