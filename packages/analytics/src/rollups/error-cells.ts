import type { DecisionRefused, OutcomeRefused, RuleEvaluationRefused } from '@switchyard/events'
import { beginningOf } from '@switchyard/kernel'
import type { Route } from '../flows.ts'
import { ERROR_CELLS_DETAILED_MAX, ERROR_CELLS_FULL_MAX, ERROR_CELLS_PER_MINUTE_MAX, MESSAGE_LENGTH_MAX } from '../limits.ts'
import { type CellStep, COARSE_CLUSTER, isSameCluster, type Precision, placeOf, UNBINNED_CLUSTER } from './cells-of-minute.ts'
import type { Cluster } from './score-rollups.ts'

/** What a failed call was about; texts are empty where nothing was readable. */
export interface ErrorAbout extends Cluster {
  /** Of a report; a refused decision has chosen none. */
  readonly gateway: string
}

/** Calls of one minute that failed alike and were about the same. */
export interface ErrorCell extends ErrorAbout {
  readonly route: Route
  readonly errorCode: string
  readonly errorMessage: string
  readonly precision: Precision
  readonly count: number
  /** Epoch milliseconds. */
  readonly lastSeenMs: number
}

type Group = Omit<ErrorCell, 'count' | 'lastSeenMs'>

/** An event of a call that failed. */
type Refused = DecisionRefused | OutcomeRefused | RuleEvaluationRefused

const UNKNOWN: ErrorAbout = {
  gateway: '',
  paymentMethodType: '',
  paymentMethod: '',
  cardNetwork: null,
  cardIsIn: null,
  currency: null,
  country: null,
  authType: null,
}

/** What a failed call was about; undefined when nothing of it was readable. Evaluations of rules name none of it. */
export const aboutOf = ({ type, data }: Refused): ErrorAbout | undefined => {
  if (type === 'OutcomeRefused') return data.gateway === null ? undefined : { ...UNKNOWN, gateway: data.gateway }
  if (type === 'RuleEvaluationRefused' || data.payment === null) return undefined
  const { paymentMethodType, paymentMethod, ...rest } = data.payment
  return { ...UNKNOWN, ...rest, paymentMethodType: paymentMethodType ?? '', paymentMethod: paymentMethod ?? '' }
}

const ROUTES: Readonly<Record<Refused['type'], Route>> = {
  DecisionRefused: 'decide_gateway',
  OutcomeRefused: 'update_gateway_score',
  RuleEvaluationRefused: 'routing_evaluate',
}

const steps: readonly CellStep<Group>[] = [
  { cellsMax: ERROR_CELLS_FULL_MAX, narrowed: (group) => group },
  { cellsMax: ERROR_CELLS_DETAILED_MAX, narrowed: (group) => ({ ...group, ...UNBINNED_CLUSTER }) },
  { cellsMax: ERROR_CELLS_PER_MINUTE_MAX, narrowed: (group) => ({ ...group, ...COARSE_CLUSTER }) },
]

const isSame = (a: Group, b: Group): boolean =>
  a.gateway === b.gateway &&
  a.route === b.route &&
  a.errorCode === b.errorCode &&
  a.errorMessage === b.errorMessage &&
  a.precision === b.precision &&
  isSameCluster(a, b)

/** The cells with one more call; the same when it does not say what it was about, undefined when all cells are taken. */
export const withErrorCell = (cells: readonly ErrorCell[], event: Refused): readonly ErrorCell[] | undefined => {
  const about = aboutOf(event)
  if (about === undefined) return cells
  const { errorCode, errorMessage, at } = event.data
  const failure = { route: ROUTES[event.type], errorCode, errorMessage: beginningOf(errorMessage, MESSAGE_LENGTH_MAX) }
  const place = placeOf<Group>(cells, { ...about, ...failure, precision: 'full' }, { steps, isSame })
  if (place === undefined) return undefined
  const { index, group } = place
  const known = cells[index]
  const cell = { ...group, count: (known?.count ?? 0) + 1, lastSeenMs: Math.max(known?.lastSeenMs ?? 0, at) }
  return known === undefined ? [...cells, cell] : cells.with(index, cell)
}
