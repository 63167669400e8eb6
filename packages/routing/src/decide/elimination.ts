import type { DownGateway } from '../elimination/merchant-health.ts'
import type { RoutingApproach } from './decision.ts'

/** A gateway that is down is shown with its score divided by this (decide.md 7.4). */
const DOWN_SCORE_DIVISOR = 5

/** Decimal digits that every number keeps: what stands behind them is noise of binary fractions (decide.md 9.2). */
const SCORE_DIGITS = 15

/** Which of the candidates are down. */
type DowntimeClass = 'none' | 'some' | 'all'

/** Label before elimination. */
export type BaseApproach = 'SR_SELECTION_V3_ROUTING' | 'SR_V3_HEDGING' | 'PRIORITY_LOGIC'

const LABELS: Readonly<Record<BaseApproach, Readonly<Record<DowntimeClass, RoutingApproach>>>> = {
  SR_SELECTION_V3_ROUTING: {
    none: 'SR_SELECTION_V3_ROUTING',
    some: 'SR_V3_DOWNTIME_ROUTING',
    all: 'SR_V3_ALL_DOWNTIME_ROUTING',
  },
  SR_V3_HEDGING: { none: 'SR_V3_HEDGING', some: 'SR_V3_DOWNTIME_HEDGING', all: 'SR_V3_ALL_DOWNTIME_HEDGING' },
  PRIORITY_LOGIC: { none: 'PRIORITY_LOGIC', some: 'PL_DOWNTIME_ROUTING', all: 'PL_ALL_DOWNTIME_ROUTING' },
}

const classOf = (downCount: number, candidateCount: number): DowntimeClass => {
  if (downCount === 0) return 'none'
  return downCount < candidateCount ? 'some' : 'all'
}

/** The label of a decision between several candidates (decide.md 3.3). */
export const approachOf = (base: BaseApproach, downCount: number, candidateCount: number): RoutingApproach =>
  LABELS[base][classOf(downCount, candidateCount)]

/** The gateways that are up first, otherwise in the order given (contract/README.md 2). */
export const upFirst = (ranked: readonly string[], down: readonly DownGateway[]): readonly string[] => {
  if (down.length === 0) return ranked
  const isDown = (gateway: string): boolean => down.some((other) => other.gateway === gateway)
  return [...ranked.filter((gateway) => !isDown(gateway)), ...ranked.filter(isDown)]
}

/** The gateway that this payment tries: the best of those that are down, not first anyway, and due. */
export const probedGateway = (ordered: readonly string[], down: readonly DownGateway[]): string | undefined =>
  down.length === 0 ? undefined : ordered.slice(1).find((gateway) => down.some((other) => other.gateway === gateway && other.isProbeDue))

/** The score as answers show it. */
export const shownScore = (gateway: string, score: number, down: readonly string[]): number =>
  down.includes(gateway) ? Number((score / DOWN_SCORE_DIVISOR).toPrecision(SCORE_DIGITS)) : score
