import type { HealthChange } from '../elimination/gateway-health.ts'
import type { HealthFeed } from '../elimination/merchant-health.ts'
import type { MerchantState, Report } from './merchant-state.ts'
import { scoreOfWindow } from './merchant-windows.ts'
import type { CountedOutcome, OpenDecision } from './open-decision.ts'
import { type DroppedOutcomes, type Judgement, uncounted } from './outcome-effect.ts'
import { healthKeysOf, windowKeysOf } from './payment-traits.ts'
import { isFinal } from './status-class.ts'

/** What a report says of a candidate. */
export interface Verdict {
  /** Its place among the candidates. */
  readonly candidate: number
  readonly success: boolean
}

/** Slower than the merchant's limit: a success all the same, and no reason to doubt the gateway (decide.md 17.9). */
const isSlow = ({ gatewayLatencyMs }: Report, { traits }: OpenDecision): boolean => {
  const limitMs = traits.elimination?.latencyLimitMs ?? null
  return limitMs !== null && gatewayLatencyMs !== null && gatewayLatencyMs > limitMs
}

const feedHealth = ({ health }: MerchantState, { traits }: OpenDecision, feed: Omit<HealthFeed, 'knobs'>): HealthChange =>
  traits.elimination === null ? null : health.feed({ ...feed, knobs: traits.elimination })

/** What is told of a change: that a gateway is up, whatever ended its outage. */
const newsOf = (change: HealthChange): Judgement['health'] => (change === 'forgotten' ? 'up' : change)

/** A gateway that is back after an outage, or that has another rate now, is not held to what it was before. */
const dropOutdated = ({ windows }: MerchantState, { traits }: OpenDecision, key: string, change: HealthChange): DroppedOutcomes | null => {
  const { adaptive, elimination } = traits
  if (!adaptive) return null
  if (change === 'up' && elimination !== null) return windows.keepNewest(key, elimination.recoveryRunCount)
  return windows.dropOutdated(key)
}

/** The first terminal outcome of a payment and gateway: a new entry of the window. */
export const countOutcome = (state: MerchantState, report: Report, open: OpenDecision, { candidate, success }: Verdict): Judgement => {
  const { traits } = open
  const { bucketSize, adaptive, candidates } = traits
  const { at } = report
  const gateway = candidates[candidate] ?? report.gateway // the text that all decisions of this kind share
  const key = windowKeysOf(traits)[candidate] ?? ''
  const sequence = state.windows.feed({ key, success, bucketSize, adaptive, at })
  open.counted = { gateway, sequence, success, isFinal: isFinal(report), otherHealth: false, uncounted: null, earlier: open.counted }
  const health = feedHealth(state, open, { key: healthKeysOf(traits)[candidate] ?? '', kind: success ? 'success' : 'failure', at })
  const dropped = dropOutdated(state, open, key, health)
  const score = scoreOfWindow(state.windows.get(key), bucketSize)
  return { disposition: 'counted', success, score, slow: success && isSlow(report, open), dropped, health: newsOf(health) }
}

/** A failure that says nothing about the gateway: it counts nowhere, and ends the waiting of the attempt's pending reports. */
export const excuseOutcome = (report: Report, open: OpenDecision): Judgement => {
  const { gateway } = report
  if (isFinal(report)) {
    open.counted = { gateway, sequence: 0, success: false, isFinal: true, otherHealth: false, uncounted: 'excused', earlier: open.counted }
  }
  return uncounted('excused')
}

/** A success after a counted failure of the same gateway turns the entry, if it is still in the window. */
export const correctOutcome = (
  state: MerchantState,
  report: Report,
  open: OpenDecision,
  { candidate, counted }: { readonly candidate: number; readonly counted: CountedOutcome },
): Judgement => {
  const { traits } = open
  counted.success = true
  counted.isFinal = true
  const key = windowKeysOf(traits)[candidate] ?? ''
  const window = state.windows.get(key)
  window?.turnToSuccess(counted.sequence) // has left the window otherwise: nothing is pushed a second time
  const kind = counted.otherHealth ? 'success' : 'correction' // a failure that is not there can't be taken back
  const health = feedHealth(state, open, { key: healthKeysOf(traits)[candidate] ?? '', kind, at: report.at })
  const dropped = dropOutdated(state, open, key, health)
  const score = window === undefined ? null : scoreOfWindow(window, traits.bucketSize)
  return { disposition: 'corrected', success: true, score, slow: isSlow(report, open), dropped, health: newsOf(health) }
}
