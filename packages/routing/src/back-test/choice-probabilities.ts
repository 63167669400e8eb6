import { type GatewayDecided, isBySuccessRate } from '@switchyard/events'

/** What of a decision says how likely each of its candidates was. */
export type ChosenBy = Pick<
  GatewayDecided['data'],
  'candidates' | 'scores' | 'down' | 'probe' | 'gateway' | 'approach' | 'rankingAlgorithm' | 'knobs'
>

/** The decision was certain. */
export const certain = ({ candidates, gateway }: Pick<ChosenBy, 'candidates' | 'gateway'>): readonly number[] =>
  candidates.map((candidate) => (candidate === gateway ? 1 : 0))

/**
 * How likely each candidate was to be chosen, in their order, over all payment ids (contract/README 3 and 4): the best gets what does
 * not explore, equal ones share it, the others share what explores; what is down gets nothing while something is up. Where cost
 * has a say, `byCost` gets what does not explore; what explores still goes to others than the best by score. Undefined when it
 * was not success rates that chose.
 */
export const choiceProbabilities = (decision: ChosenBy, byCost: string | null = null): readonly number[] | undefined => {
  const { candidates, scores, down, probe, knobs } = decision
  if (candidates.length === 1) return [1]
  // Fixed algorithms and preferences draw in ways that the decision does not tell.
  if (scores.length !== candidates.length || !isBySuccessRate(decision)) return undefined
  if (probe) return certain(decision)
  const isUp = candidates.map((candidate) => !down.includes(candidate))
  const isOpen = isUp.includes(true) ? isUp : candidates.map(() => true)
  const openCount = isOpen.filter((open) => open).length
  const best = Math.max(...scores.filter((_, index) => isOpen[index]))
  const bestCount = scores.filter((score, index) => isOpen[index] === true && score === best).length
  const explored = openCount < 2 ? 0 : knobs.hedgingPercent / 100
  return scores.map((score, index) => {
    if (isOpen[index] !== true) return 0
    const head = score === best ? 1 / bestCount : 0
    const taken = byCost === null ? head : Number(candidates[index] === byCost)
    return taken * (1 - explored) + (openCount < 2 ? 0 : ((1 - head) * explored) / (openCount - 1))
  })
}
