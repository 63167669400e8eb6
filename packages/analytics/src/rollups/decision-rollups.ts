import type { GatewayDecided } from '@switchyard/events'
import type { DocumentProjection } from '@switchyard/kernel'
import { endedBy, merchantOf, minuteKey } from '../keys.ts'
import { DECISION_CELLS_DETAILED_MAX, DECISION_CELLS_FULL_MAX, DECISION_CELLS_PER_MINUTE_MAX } from '../limits.ts'
import { isNewBeginning, type RecordedPayment } from '../recorded-payment.ts'
import type { Cluster } from './score-rollups.ts'

/** Decisions of one minute that are alike. */
export interface DecisionCell extends Cluster {
  readonly gateway: string
  /** Label of the way the gateway was chosen. */
  readonly approach: string
  /** Rule or algorithm that took part; null when none did. */
  readonly ruleName: string | null
  /** `unbinned` keeps no first digits of the card, `coarse` of all dimensions only method type and method, and no rule. */
  readonly precision: 'full' | 'unbinned' | 'coarse'
  readonly count: number
}

/** One minute of a merchant in decisions by what they were about. */
export interface DecisionRollup {
  readonly merchantId: string
  /** Start, epoch milliseconds. */
  readonly minuteMs: number
  readonly cells: readonly DecisionCell[]
  /** Decisions that are in no cell. */
  readonly lostCount: number
}

type Group = Omit<DecisionCell, 'count'>

interface Step {
  readonly cellsMax: number
  readonly narrowed: (group: Group) => Group
}

const COARSE = {
  precision: 'coarse',
  ruleName: null,
  cardNetwork: null,
  cardIsIn: null,
  currency: null,
  country: null,
  authType: null,
} as const

/** A minute with many kinds of decisions gives up the finest distinction first. */
const STEPS: readonly Step[] = [
  { cellsMax: DECISION_CELLS_FULL_MAX, narrowed: (group) => group },
  { cellsMax: DECISION_CELLS_DETAILED_MAX, narrowed: (group) => ({ ...group, precision: 'unbinned', cardIsIn: null }) },
  { cellsMax: DECISION_CELLS_PER_MINUTE_MAX, narrowed: (group) => ({ ...group, ...COARSE }) },
]

const groupOf = (data: GatewayDecided['data']): Group => ({
  gateway: data.gateway,
  approach: data.approach,
  ruleName: data.priorityLogicTag,
  precision: 'full',
  paymentMethodType: data.paymentMethodType,
  paymentMethod: data.paymentMethod,
  cardNetwork: data.cardNetwork,
  cardIsIn: data.cardIsIn,
  currency: data.currency,
  country: data.country,
  authType: data.authType,
})

const isSame = (a: Group, b: Group): boolean =>
  a.gateway === b.gateway && a.approach === b.approach && a.ruleName === b.ruleName && a.precision === b.precision && isSameCluster(a, b)

const isSameCluster = (a: Cluster, b: Cluster): boolean =>
  a.paymentMethodType === b.paymentMethodType &&
  a.paymentMethod === b.paymentMethod &&
  a.cardNetwork === b.cardNetwork &&
  a.cardIsIn === b.cardIsIn &&
  a.currency === b.currency &&
  a.country === b.country &&
  a.authType === b.authType

const withDecision = (view: DecisionRollup, data: GatewayDecided['data']): DecisionRollup => {
  const decided = groupOf(data)
  for (const { cellsMax, narrowed } of STEPS) {
    const group = narrowed(decided)
    const index = view.cells.findIndex((cell) => isSame(cell, group))
    const known = view.cells[index]
    if (known !== undefined) return { ...view, cells: view.cells.with(index, { ...known, count: known.count + 1 }) }
    if (view.cells.length < cellsMax) return { ...view, cells: [...view.cells, { ...group, count: 1 }] }
  }
  return { ...view, lostCount: view.lostCount + 1 }
}

const emptyMinute = (merchantId: string, minuteMs: number): DecisionRollup => ({ merchantId, minuteMs, cells: [], lostCount: 0 })

/** Decisions by minute, gateway, label, rule and dimensions: what filtered counts and shares add up (analytics.md 2.3, 2.4). */
export const decisionRollups: DocumentProjection<DecisionRollup, RecordedPayment> = {
  name: 'decision-rollups-v1',
  endedBy,

  keysOf: ({ event }) =>
    event.type === 'GatewayDecided' || isNewBeginning(event) ? [minuteKey(event.data.merchantId, event.data.at)] : [],

  initialView: (key) => emptyMinute(merchantOf(key), Number(key[1])),

  project: (view, { event }) => {
    // What stands in this minute is of an earlier merchant of the id; whole minutes before it are left out by the reads.
    if (isNewBeginning(event)) return emptyMinute(view.merchantId, view.minuteMs)
    return event.type === 'GatewayDecided' ? withDecision(view, event.data) : view
  },
}
