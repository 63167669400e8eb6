import type { EntryFacts } from '@switchyard/analytics'

type DecisionFacts = Extract<EntryFacts, { readonly kind: 'decision' }>

/** What a decision knew of costs, and how it weighed them; null when it knew none and was not asked to. Costs in bps of the amount. */
export const costsPart = ({ candidates, costChoice, pricing }: DecisionFacts): object | null => {
  if (costChoice !== undefined && (costChoice.ranked.length > 0 || pricing === undefined)) {
    return {
      weighed: true,
      outcome: costChoice.outcome,
      cause: costChoice.cause,
      margin: costChoice.marginRatio,
      head: costChoice.head,
      chosen: costChoice.chosen,
      cost_saved_bps: costChoice.costSavedBps,
      model_version: costChoice.modelVersion,
      gateways: costChoice.ranked.map(({ gateway, costBps, expectedRatio, source }) => ({
        gateway,
        cost_bps: costBps,
        expected_value: expectedRatio,
        source,
      })),
    }
  }
  if (pricing === undefined) return null
  return {
    weighed: costChoice !== undefined,
    cause: costChoice?.cause ?? null,
    margin: pricing.marginRatio,
    gateways: candidates.map((gateway, index) => ({ gateway, cost_bps: pricing.costsBps[index] ?? null })),
  }
}
