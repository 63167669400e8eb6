import type { EliminationKnobs } from '@switchyard/events'
import type { Elimination } from '../scoring-settings/elimination-settings.ts'

/** Settings of a deployment: when a gateway is taken for down and when it is tried again (contract/README.md 2). */
export interface EliminationRules {
  /** Share of successes, 0 to 1, below which a gateway is down when the merchant set none (decide.md 7.2). */
  readonly threshold: number
  /** Age at which an outcome counts half, milliseconds. */
  readonly halfLifeMs: number
  /** Weight of outcomes, in units of one new outcome, from which on the share counts. */
  readonly sampleCount: number
  /** Failures in a row that take a gateway down. */
  readonly failureRunCount: number
  /** Successes in a row that bring it back. */
  readonly recoveryRunCount: number
  /** What is known of a gateway is forgotten this long after its newest outcome, milliseconds. */
  readonly ageMsMax: number
  /** A gateway that is down is tried at most once in this time, milliseconds. */
  readonly probeIntervalMs: number
  /** And at most by one of so many payments that could have gone to it. */
  readonly probePaymentCount: number
}

/** The settings that are shipped. */
export const SHIPPED_ELIMINATION_RULES: EliminationRules = {
  threshold: 0.05,
  halfLifeMs: 600_000,
  sampleCount: 8,
  failureRunCount: 8,
  recoveryRunCount: 3,
  ageMsMax: 9_000_000,
  probeIntervalMs: 30_000,
  probePaymentCount: 50,
}

/** What decides the elimination settings of a payment. */
export interface EliminationChoice {
  /** The merchant's settings, null when there are none. */
  readonly settings: Elimination | null
  /** The merchant's flag. */
  readonly flag: boolean
  /** The request's own word; it decides when it is there (contract/README.md 1). */
  readonly requested: boolean | null
}

/** Resolves the elimination settings of payments; keeps what it worked out. */
export type EliminationResolver = (choice: EliminationChoice) => EliminationKnobs

/** How a deployment resolves elimination settings: the merchant's threshold and latency limit before the deployment's. */
export const createEliminationResolver = (rules: EliminationRules): EliminationResolver => {
  const { halfLifeMs, sampleCount, failureRunCount, recoveryRunCount, ageMsMax } = rules
  const resolve = (settings: Elimination | null, enabled: boolean): EliminationKnobs => ({
    enabled,
    threshold: settings?.threshold ?? rules.threshold,
    latencyLimitMs: settings?.latency?.gatewayLatencyMs ?? null,
    halfLifeMs,
    sampleCount,
    failureRunCount,
    recoveryRunCount,
    ageMsMax,
  })
  const resolved = new WeakMap<object, { on?: EliminationKnobs; off?: EliminationKnobs }>()

  return ({ settings, flag, requested }) => {
    const owner = settings ?? rules
    const known = resolved.get(owner) ?? {}
    resolved.set(owner, known)
    const isEnabled = requested ?? flag
    if (isEnabled) return (known.on ??= resolve(settings, isEnabled))
    return (known.off ??= resolve(settings, isEnabled))
  }
}
