import type { ReadStore, StoredDocument } from '@switchyard/kernel'
import { DECISION_MINUTES_PAGE_DOCUMENTS, DECISION_MINUTES_SCANNED_MAX } from '../limits.ts'
import { type DecisionCell, type DecisionRollup, decisionDays, decisionHours, decisionRollups } from '../rollups/decision-rollups.ts'
import { matchOf, type PaymentScope } from './cells.ts'
import { scanPeriods } from './periods.ts'
import { type IncludedPositions, include } from './scan.ts'
import type { Window } from './window.ts'

/** Whose decisions, when, and which. */
export interface DecisionScope extends PaymentScope {
  readonly merchantId: string
  readonly window: Window
  /** Label that decisions have; undefined asks for nothing. */
  readonly routingApproach: string | undefined
  /** Label that they don't have. */
  readonly excludeRoutingApproach: string | undefined
}

/** Whether decisions have the label asked for. */
export const isLabelled = (
  { approach }: Pick<DecisionCell, 'approach'>,
  { routingApproach, excludeRoutingApproach }: DecisionScope,
): boolean => (routingApproach === undefined || approach === routingApproach) && approach !== excludeRoutingApproach

/** How a scan of decisions ended. */
interface ScannedDecisions {
  readonly end: 'complete' | 'truncated'
  /** Decisions, asked for or not, that are in no cell. */
  readonly lostCount: number
}

/**
 * Visits the decisions asked for. The end is `truncated` when a limit cut them off, and when a minute kept
 * too little of some to tell whether they are asked for.
 */
export const scanDecisions = async (
  store: ReadStore,
  scope: DecisionScope,
  positions: IncludedPositions,
  visit: (cell: DecisionCell, minuteMs: number) => void,
): Promise<ScannedDecisions> => {
  const { merchantId, window } = scope
  const collections = { minutes: decisionRollups.name, hours: decisionHours.name, days: decisionDays.name }
  const limits = { documentsMax: DECISION_MINUTES_SCANNED_MAX, pageDocuments: DECISION_MINUTES_PAGE_DOCUMENTS }
  let isBlurred = false
  let lostCount = 0
  const isAsked = (cell: DecisionCell): boolean => isLabelled(cell, scope)
  const visitPeriod = ({ body, position }: StoredDocument<DecisionRollup>): void => {
    include(positions, position)
    lostCount += body.lostCount
    for (const cell of body.cells) {
      const match = isAsked(cell) ? matchOf(cell, scope) : 'differs'
      if (match === 'unknown') isBlurred = true
      if (match === 'matches') visit(cell, body.minuteMs)
    }
  }
  const isClear = (body: DecisionRollup): boolean =>
    body.lostCount === 0 && !body.cells.some((cell) => isAsked(cell) && matchOf(cell, scope) === 'unknown')
  const end = await scanPeriods(store, { collections, merchantId, window, ...limits }, visitPeriod, isClear)
  return { end: isBlurred || lostCount > 0 ? 'truncated' : end, lostCount }
}
