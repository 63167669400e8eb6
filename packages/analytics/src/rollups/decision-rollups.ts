import type { GatewayDecided } from '@switchyard/events'
import { type DocumentProjection, type Draft, foldedInPlace } from '@switchyard/kernel'
import { DAY_MS, endedBy, HOUR_MS, keyPart, MINUTE_MS, merchantOf, periodOf } from '../keys.ts'
import { DECISION_CELLS_DETAILED_MAX, DECISION_CELLS_FULL_MAX, DECISION_CELLS_PER_MINUTE_MAX } from '../limits.ts'
import { isNewBeginning, type RecordedPayment } from '../recorded-payment.ts'
import {
  type CellKind,
  type CellStep,
  COARSE_CLUSTER,
  isSameCluster,
  type Precision,
  placeOf,
  UNBINNED_CLUSTER,
} from './cells-of-minute.ts'
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

const KIND: CellKind<Group> = { steps: STEPS, isSame }

const addDecision = (view: Draft<DecisionRollup>, data: GatewayDecided['data']): void => {
  const place = placeOf(view.cells, groupOf(data), KIND)
  if (place === undefined) {
    view.lostCount += 1
    return
  }
  const known = view.cells[place.index]
  if (known === undefined) view.cells.push({ ...place.group, count: 1 })
  else known.count += 1
}

const emptyMinute = (merchantId: string, minuteMs: number): Draft<DecisionRollup> => ({ merchantId, minuteMs, cells: [], lostCount: 0 })

const decisionsBy = (name: string, widthMs: number): DocumentProjection<DecisionRollup, RecordedPayment> =>
  foldedInPlace({
    name,
    endedBy,

    keysOf: ({ event: { type, data } }) =>
      type === 'GatewayDecided' || (type === 'GatewayScoresReset' && data.cause === 'REGISTERED_AGAIN')
        ? [[keyPart(data.merchantId), periodOf(data.at, widthMs)]]
        : [],

    initialView: (key) => emptyMinute(merchantOf(key), Number(key[1])),

    copyOf: (view) => ({ ...view, cells: view.cells.map((cell) => ({ ...cell })) }),

    change: (draft, { event }) => {
      // What stands in this period is of an earlier merchant of the id; whole minutes before it are left out by the reads.
      if (isNewBeginning(event)) return emptyMinute(draft.merchantId, draft.minuteMs)
      if (event.type !== 'GatewayDecided') return undefined
      addDecision(draft, event.data)
      return draft
    },
  })

/** Decisions by minute, gateway, label, rule and dimensions: what filtered counts and shares add up (analytics.md 2.3, 2.4). */
export const decisionRollups: DocumentProjection<DecisionRollup, RecordedPayment> = decisionsBy('decision-rollups-v1', MINUTE_MS)

/** The same by the hour: what long windows are added up from. */
export const decisionHours: DocumentProjection<DecisionRollup, RecordedPayment> = decisionsBy('decision-hours-v1', HOUR_MS)
/** The same by the day (UTC). */
export const decisionDays: DocumentProjection<DecisionRollup, RecordedPayment> = decisionsBy('decision-days-v1', DAY_MS)
