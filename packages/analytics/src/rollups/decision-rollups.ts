import type { GatewayDecided } from '@switchyard/events'
import type { DocumentProjection } from '@switchyard/kernel'
import { DAY_MS, endedBy, HOUR_MS, keyPart, MINUTE_MS, merchantOf, periodOf } from '../keys.ts'
import { DECISION_CELLS_DETAILED_MAX, DECISION_CELLS_FULL_MAX, DECISION_CELLS_PER_MINUTE_MAX } from '../limits.ts'
import { isNewBeginning, type RecordedPayment } from '../recorded-payment.ts'
import { type CellStep, COARSE_CLUSTER, isSameCluster, type Precision, placed, UNBINNED_CLUSTER } from './cells-of-minute.ts'
import type { Cluster } from './score-rollups.ts'

/** Decisions of one minute that are alike. */
export interface DecisionCell extends Cluster {
  readonly gateway: string
  /** Label of the way the gateway was chosen. */
  readonly approach: string
  /** Rule or algorithm that took part; null when none did. */
  readonly ruleName: string | null
  /** `coarse` keeps no rule either. */
  readonly precision: Precision
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

/** A minute with many kinds of decisions gives up the finest distinction first. */
const STEPS: readonly CellStep<Group>[] = [
  { cellsMax: DECISION_CELLS_FULL_MAX, narrowed: (group) => group },
  { cellsMax: DECISION_CELLS_DETAILED_MAX, narrowed: (group) => ({ ...group, ...UNBINNED_CLUSTER }) },
  { cellsMax: DECISION_CELLS_PER_MINUTE_MAX, narrowed: (group) => ({ ...group, ...COARSE_CLUSTER, ruleName: null }) },
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

const withDecision = (view: DecisionRollup, data: GatewayDecided['data']): DecisionRollup => {
  const cells = placed<Group, DecisionCell>(view.cells, groupOf(data), { steps: STEPS, isSame }, (group, known) => ({
    ...group,
    count: (known?.count ?? 0) + 1,
  }))
  return cells === undefined ? { ...view, lostCount: view.lostCount + 1 } : { ...view, cells }
}

const emptyMinute = (merchantId: string, minuteMs: number): DecisionRollup => ({ merchantId, minuteMs, cells: [], lostCount: 0 })

const decisionsBy = (name: string, widthMs: number): DocumentProjection<DecisionRollup, RecordedPayment> => ({
  name,
  endedBy,

  keysOf: ({ event: { type, data } }) =>
    type === 'GatewayDecided' || (type === 'GatewayScoresReset' && data.cause === 'REGISTERED_AGAIN')
      ? [[keyPart(data.merchantId), periodOf(data.at, widthMs)]]
      : [],

  initialView: (key) => emptyMinute(merchantOf(key), Number(key[1])),

  project: (view, { event }) => {
    // What stands in this period is of an earlier merchant of the id; whole minutes before it are left out by the reads.
    if (isNewBeginning(event)) return emptyMinute(view.merchantId, view.minuteMs)
    return event.type === 'GatewayDecided' ? withDecision(view, event.data) : view
  },
})

/** Decisions by minute, gateway, label, rule and dimensions: what filtered counts and shares add up (analytics.md 2.3, 2.4). */
export const decisionRollups: DocumentProjection<DecisionRollup, RecordedPayment> = decisionsBy('decision-rollups-v1', MINUTE_MS)

/** The same by the hour: what long windows are added up from. */
export const decisionHours: DocumentProjection<DecisionRollup, RecordedPayment> = decisionsBy('decision-hours-v1', HOUR_MS)
/** The same by the day (UTC). */
export const decisionDays: DocumentProjection<DecisionRollup, RecordedPayment> = decisionsBy('decision-days-v1', DAY_MS)
