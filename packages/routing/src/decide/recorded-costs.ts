import type { GatewayDecided } from '@switchyard/events'

/** What of a recorded decision tells costs. */
type Priced = Pick<GatewayDecided['data'], 'candidates' | 'costChoice' | 'pricing'>

/** What a decided payment costs on each candidate, in their order, bps of its amount; null where nothing tells. */
export const recordedCosts = ({ candidates, costChoice, pricing }: Priced): readonly (number | null)[] => {
  if (pricing !== null) return candidates.map((_, index) => pricing.costsBps[index] ?? null)
  const ranked = costChoice?.ranked ?? []
  return candidates.map((gateway) => ranked.find((row) => row.gateway === gateway)?.costBps ?? null)
}

/** What weighing saved beside the gateway with the best approval, bps of the amount; null when nothing was weighed. */
export const recordedSaving = ({ costChoice }: Priced): number | null => {
  if (costChoice === null || costChoice.ranked.length === 0) return null
  return costChoice.outcome === 'COST_WON' ? costChoice.costSavedBps : 0
}
