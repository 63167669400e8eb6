import type { GatewayDecided } from '@switchyard/events'
import { MARGIN_DEFAULT } from '../decide/cost-step.ts'
import { shownScore } from '../decide/elimination.ts'
import { recordedCosts } from '../decide/recorded-costs.ts'

/** Approvals and costs of candidates, all lists in their order. */
export interface CostWeighing {
  readonly candidates: readonly string[]
  /** Expected share of approvals, 0 to 1; of what is down as answers show it. */
  readonly authRates: readonly number[]
  /** Basis points of the amount; null where nothing tells. */
  readonly costsBps: readonly (number | null)[]
  readonly down: readonly string[]
  /** Share of the amount that an approved payment earns. */
  readonly marginRatio: number
}

/** Names the gateway that approval and cost together choose; null when nothing is decided. Given by whoever knows how (cost.md 15). */
export type ChooseByCost = (weighing: CostWeighing) => string | null

/** What of the weighing shall be other than it was. */
export interface WeighingChanges {
  /** Share of the amount that an approved payment earns. */
  readonly margin?: number | undefined
  /** Whether cost has a say. */
  readonly multiObjective?: boolean | undefined
}

/** Scores to weigh costs against. */
type Scored = Pick<GatewayDecided['data'], 'candidates' | 'scores' | 'down'>

const weighing = ({ candidates, scores, down }: Scored, costsBps: CostWeighing['costsBps'], marginRatio: number): CostWeighing => ({
  candidates,
  authRates: candidates.map((gateway, index) => shownScore(gateway, scores[index] ?? 0, down)),
  costsBps,
  down,
  marginRatio,
})

const isWanted = ({ costChoice, pricing }: GatewayDecided['data']): boolean => costChoice !== null || pricing?.wanted === true

const marginOf = ({ costChoice, pricing }: GatewayDecided['data']): number =>
  costChoice?.marginRatio ?? pricing?.marginRatio ?? MARGIN_DEFAULT

/** The gateway that cost gave a recorded payment, or would have given it, had it not explored; null when cost had no say. */
export const chosenByCost = (data: GatewayDecided['data'], choose: ChooseByCost): string | null => {
  if (data.costChoice !== null) return data.costChoice.chosen
  return isWanted(data) ? choose(weighing(data, recordedCosts(data), marginOf(data))) : null
}

/** A recorded payment weighed again. */
export interface WeighedAgain {
  /** Whether cost has a say under the other settings. */
  readonly isWanted: boolean
  /** The gateway that it gives the payment; null when it has no say, or nothing is decided. */
  readonly byCost: string | null
}

/** Approval against the recorded costs under other settings, by the scores that they would have seen. */
export const weighAgain = (
  data: GatewayDecided['data'],
  scored: Scored,
  { margin, multiObjective }: WeighingChanges,
  choose: ChooseByCost,
): WeighedAgain => {
  if (!(multiObjective ?? isWanted(data))) return { isWanted: false, byCost: null }
  return { isWanted: true, byCost: choose(weighing(scored, recordedCosts(data), margin ?? marginOf(data))) }
}
