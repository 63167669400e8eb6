import { assertNever, unitInterval } from '@switchyard/kernel'
import type { ConnectorReference, Output } from './algorithm.ts'
import type { EvaluationContext } from './evaluation.ts'

/** Connectors of an output, best first, and the split that was drawn. */
interface Answer {
  readonly evaluated: readonly ConnectorReference[]
  readonly drawnSlot: number | null
}

/** An output that is ready to answer; undefined: there was nothing to draw from. */
export interface CompiledOutput {
  readonly output: Output
  readonly eligible: readonly ConnectorReference[]
  readonly answer: (context: EvaluationContext) => Answer | undefined
}

/** A number in [0, 1): the same for every call with this algorithm and payment, else drawn from outside (rules.md 7, Q17). */
const unitOf = (algorithmId: string, { paymentId, draw }: EvaluationContext): number =>
  paymentId === null ? draw() : unitInterval(algorithmId, paymentId)

/**
 * Index of the slot that `unit` in [0, 1) falls into: slot i is chosen with the probability weight i / total. Undefined
 * without a positive weight; a slot of weight zero is never chosen (rules.md 7).
 */
export const drawSlot = (weights: readonly number[], unit: number): number | undefined => {
  const target = unit * weights.reduce((sum, weight) => sum + weight, 0)
  let sum = 0
  let last: number | undefined
  for (const [slot, weight] of weights.entries()) {
    sum += weight
    if (weight > 0) last = slot
    if (weight > 0 && target < sum) return slot
  }
  return last
}

/** Longest list whose references are compared pair by pair, which makes nothing that has to be collected. */
const PAIRWISE_COUNT_MAX = 16

const isSame = (a: ConnectorReference, b: ConnectorReference): boolean => a.gatewayName === b.gatewayName && a.gatewayId === b.gatewayId

const distinctByPairs = (references: readonly ConnectorReference[]): readonly ConnectorReference[] => {
  const kept: ConnectorReference[] = []
  for (const reference of references) if (!kept.some((earlier) => isSame(earlier, reference))) kept.push(reference)
  return kept
}

const distinctByIdentity = (references: readonly ConnectorReference[]): readonly ConnectorReference[] => {
  const seen = new Set<string>()
  return references.filter(({ gatewayName, gatewayId }) => {
    const identity = JSON.stringify([gatewayName, gatewayId])
    return !seen.has(identity) && seen.add(identity)
  })
}

/** Drops repeated references; the first of each stays. */
export const distinct = (references: readonly ConnectorReference[]): readonly ConnectorReference[] =>
  references.length <= PAIRWISE_COUNT_MAX ? distinctByPairs(references) : distinctByIdentity(references)

const declaredBy = (output: Output): readonly ConnectorReference[] => {
  switch (output.form) {
    case 'single':
      return [output.connector]
    case 'priority':
      return output.connectors
    case 'volumeSplit':
      return output.splits.map(({ connector }) => connector)
    case 'volumeSplitPriority':
      return output.splits.flatMap(({ connectors }) => connectors)
    default:
      return assertNever(output)
  }
}

const winnerFirst = <Entry>(entries: readonly Entry[], winner: number): readonly Entry[] => [
  ...entries.slice(winner, winner + 1),
  ...entries.slice(0, winner),
  ...entries.slice(winner + 1),
]

/** Prepares an output of the algorithm with this id. */
export const compileOutput = (algorithmId: string, output: Output): CompiledOutput => {
  const declared = declaredBy(output)
  const eligible = distinct(declared)
  if (output.form === 'single' || output.form === 'priority') {
    const fixed: Answer = { evaluated: declared, drawnSlot: null }
    return { output, eligible, answer: () => fixed }
  }
  const weights = output.splits.map(({ weight }) => weight)
  const order = (winner: number): readonly ConnectorReference[] =>
    output.form === 'volumeSplit'
      ? winnerFirst(output.splits, winner).map(({ connector }) => connector)
      : distinct(winnerFirst(output.splits, winner).flatMap(({ connectors }) => connectors))
  const answer = (context: EvaluationContext): Answer | undefined => {
    const drawnSlot = drawSlot(weights, unitOf(algorithmId, context))
    return drawnSlot === undefined ? undefined : { evaluated: order(drawnSlot), drawnSlot }
  }
  return { output, eligible, answer }
}
