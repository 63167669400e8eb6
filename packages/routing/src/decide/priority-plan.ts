import type { PriorityLogicRun, PriorityPlan } from './decision.ts'

/** A gateway as an algorithm names it; the id, when set, tells two accounts at one gateway apart. */
interface NamedGateway {
  readonly gatewayName: string
  readonly gatewayId: string | null
}

/** What the evaluation of an algorithm gave. */
export interface EvaluatedAlgorithm {
  readonly algorithmId: string
  readonly run: PriorityLogicRun
  /** Best first. */
  readonly gateways: readonly NamedGateway[]
}

/** Without an algorithm the candidates stand in the order sent (contract/README.md 7). */
export const candidateOrder = (candidates: readonly string[]): PriorityPlan => ({
  gateways: candidates,
  tag: null,
  algorithmId: null,
  run: null,
})

/**
 * A candidate may be sent as `name` or as `name:id`. What an algorithm names without an id is every account of it, in the order sent, unless
 * the plain name is a candidate.
 */
const candidatesNamed = ({ gatewayName, gatewayId }: NamedGateway, candidates: readonly string[]): readonly string[] => {
  if (gatewayId !== null && candidates.includes(`${gatewayName}:${gatewayId}`)) return [`${gatewayName}:${gatewayId}`]
  if (candidates.includes(gatewayName)) return [gatewayName]
  return gatewayId === null ? candidates.filter((candidate) => candidate.startsWith(`${gatewayName}:`)) : []
}

/** The candidates, of which each stands there once, that an algorithm names: in its order, each once. */
export const namedCandidates = (gateways: readonly NamedGateway[], candidates: readonly string[]): readonly string[] => {
  const [only] = gateways
  // Most rules name one gateway.
  if (only !== undefined && gateways.length === 1) return candidatesNamed(only, candidates)
  return [...new Set(gateways.flatMap((gateway) => candidatesNamed(gateway, candidates)))]
}

/** The candidates in the order of the algorithm; in the order sent when it names none of them. */
export const planByAlgorithm = (evaluated: EvaluatedAlgorithm, candidates: readonly string[]): PriorityPlan => {
  const named = namedCandidates(evaluated.gateways, candidates)
  return {
    gateways: named.length === 0 ? candidates : named,
    tag: evaluated.run.name,
    algorithmId: evaluated.algorithmId,
    run: evaluated.run,
  }
}

/** The same plan with the merchant's preferred gateway in front, if it is a candidate (decide.md 4.2). */
export const preferring = (plan: PriorityPlan, preferred: string | null, candidates: readonly string[]): PriorityPlan =>
  preferred === null || !candidates.includes(preferred)
    ? plan
    : { ...plan, gateways: [preferred, ...plan.gateways.filter((gateway) => gateway !== preferred)] }
