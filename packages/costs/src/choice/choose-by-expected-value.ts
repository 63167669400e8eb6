import { BPS } from '../fit/line.ts'
import { type ChoiceCause, reasonOf } from './choice-reason.ts'

/** Differences below this are none. */
const EPSILON = 2.2e-16

/** A gateway that could take the payment. */
export interface Candidate {
  readonly gateway: string
  /** Expected share of approvals. */
  readonly authRate: number
  /** Null when unknown. */
  readonly costBps: number | null
  /** It may stay where it is, but nothing moves a payment there. */
  readonly isDown: boolean
}

/** A candidate whose approval and cost were weighed. */
export interface RankedCandidate {
  readonly gateway: string
  readonly authRate: number
  readonly costBps: number
  /** Expected value of the payment there, as a share of its amount. */
  readonly expectedValue: number
}

/** The outcome of weighing approval and cost. */
export interface Choice {
  readonly outcome: 'COST_WON' | 'AUTH_WON'
  readonly cause: ChoiceCause
  readonly reason: string
  /** Share of the amount that an approved payment earns. */
  readonly margin: number
  /** Best first, by expected value and then by name; empty when nothing was weighed. */
  readonly ranked: readonly RankedCandidate[]
  /** Best by approval; null when there is none. */
  readonly head: string | null
  /** Null when nothing was decided: the order stays as it was. */
  readonly chosen: string | null
  /** Saved beside the head, bps of the amount; null unless cost won. */
  readonly costSavedBps: number | null
  /** Expected value of the best less that of the second; null with fewer than two. */
  readonly gapOfTopTwo: number | null
  /** The others in the order in which they are to be tried; empty when nothing was decided. */
  readonly fallbacks: readonly string[]
}

const byName = (one: string, other: string): number => {
  if (one === other) return 0
  return one < other ? -1 : 1
}

const byScore = (one: Candidate, other: Candidate): number => other.authRate - one.authRate || byName(one.gateway, other.gateway)

/** Best by approval among those that are up, or among all when none is; the first by name of equal ones. */
const headOf = (candidates: readonly Candidate[]): Candidate | undefined => {
  const isUp = candidates.some(({ isDown }) => !isDown)
  let best = Number.NEGATIVE_INFINITY
  for (const { isDown, authRate } of candidates) if (isDown !== isUp) best = Math.max(best, authRate)
  if (!Number.isFinite(best)) return undefined
  let head: Candidate | undefined
  for (const candidate of candidates) {
    if (candidate.isDown === isUp || Math.abs(candidate.authRate - best) >= EPSILON) continue
    if (head === undefined || candidate.gateway < head.gateway) head = candidate
  }
  return head
}

const undecided = (margin: number, head: string | null, cause: ChoiceCause): Choice => ({
  outcome: 'AUTH_WON',
  cause,
  reason: reasonOf(cause),
  margin,
  ranked: [],
  head,
  chosen: null,
  costSavedBps: null,
  gapOfTopTwo: null,
  fallbacks: [],
})

/** Priced candidates that the payment could go to, best first. */
const rank = (candidates: readonly Candidate[], head: Candidate, margin: number): readonly RankedCandidate[] => {
  const ranked: RankedCandidate[] = []
  for (const { gateway, authRate, costBps, isDown } of candidates) {
    if (isDown && gateway !== head.gateway) continue
    if (costBps === null || !Number.isFinite(costBps) || !Number.isFinite(authRate)) continue
    ranked.push({ gateway, authRate, costBps, expectedValue: authRate * (margin - costBps / BPS) })
  }
  return ranked.sort((one, other) => other.expectedValue - one.expectedValue || byName(one.gateway, other.gateway))
}

const causeOf = (head: RankedCandidate, chosen: RankedCandidate, margin: number, rankedCount: number): ChoiceCause => {
  if (chosen !== head) {
    return {
      cause: 'promoted',
      head: head.gateway,
      chosen: chosen.gateway,
      savedBps: head.costBps - chosen.costBps,
      authGivenUp: head.authRate - chosen.authRate,
    }
  }
  if (margin <= head.costBps / BPS) return { cause: 'head-without-profit', head: head.gateway }
  return { cause: 'head-best', head: head.gateway, rankedCount }
}

/** Those that were ranked, then those that were not by approval, then those that are down. */
const fallbacksOf = (candidates: readonly Candidate[], ranked: readonly RankedCandidate[], chosen: string): readonly string[] => {
  const fallbacks: string[] = []
  for (const { gateway } of ranked) if (gateway !== chosen) fallbacks.push(gateway)
  if (ranked.length === candidates.length) return fallbacks
  const rest = candidates.filter(({ gateway }) => !ranked.some((weighed) => weighed.gateway === gateway)).sort(byScore)
  for (const { gateway, isDown } of rest) if (!isDown) fallbacks.push(gateway)
  for (const { gateway, isDown } of rest) if (isDown) fallbacks.push(gateway)
  return fallbacks
}

const decided = (candidates: readonly Candidate[], head: RankedCandidate, ranked: readonly RankedCandidate[], margin: number): Choice => {
  const [best = head, second] = ranked
  const isWorthIt = margin > head.costBps / BPS && best.expectedValue > head.expectedValue + EPSILON
  const chosen = isWorthIt ? best : head
  const cause = causeOf(head, chosen, margin, ranked.length)
  return {
    outcome: chosen === head ? 'AUTH_WON' : 'COST_WON',
    cause,
    reason: reasonOf(cause),
    margin,
    ranked,
    head: head.gateway,
    chosen: chosen.gateway,
    costSavedBps: chosen === head ? null : head.costBps - chosen.costBps,
    gapOfTopTwo: second ? best.expectedValue - second.expectedValue : null,
    fallbacks: fallbacksOf(candidates, ranked, chosen.gateway),
  }
}

/**
 * Weighs approval and cost (cost.md 15): the gateway with the largest `authRate * (margin - cost)` takes the payment, ties keep
 * the one with the best approval. `margin` is the share of the amount that an approved payment earns. Gateways that are down
 * are never promoted, and where the head earns nothing it stays: the same input always gives the same choice.
 */
export const chooseByExpectedValue = (candidates: readonly Candidate[], margin: number): Choice => {
  if (candidates.length < 2) return undecided(margin, candidates[0]?.gateway ?? null, { cause: 'one-candidate' })
  const head = headOf(candidates)
  if (head === undefined) return undecided(margin, null, { cause: 'no-score' })
  const ranked = rank(candidates, head, margin)
  const rankedHead = ranked.find(({ gateway }) => gateway === head.gateway)
  if (rankedHead === undefined) return undecided(margin, head.gateway, { cause: 'head-without-cost', head: head.gateway })
  return decided(candidates, rankedHead, ranked, margin)
}
