import type { ReadStore } from '@switchyard/kernel'
import { DECISION_MINUTES_PAGE_DOCUMENTS, DECISION_MINUTES_SCANNED_MAX } from '../limits.ts'
import { type DecisionCell, type DecisionRollup, decisionRollups } from '../rollups/decision-rollups.ts'
import { matchOf, type PaymentScope } from './cells.ts'
import { type IncludedPositions, include, scan } from './scan.ts'
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

const isLabelled = ({ approach }: DecisionCell, { routingApproach, excludeRoutingApproach }: DecisionScope): boolean =>
  (routingApproach === undefined || approach === routingApproach) && approach !== excludeRoutingApproach

/**
 * Visits the decisions asked for, newest minute first. The end is `truncated` when a limit cut them off, and when a minute kept
 * too little of some to tell whether they are asked for.
 */
export const scanDecisions = async (
  store: ReadStore,
  scope: DecisionScope,
  positions: IncludedPositions,
  visit: (cell: DecisionCell, minuteMs: number) => void,
): Promise<'complete' | 'truncated'> => {
  const { merchantId, window } = scope
  const range = {
    collection: decisionRollups.name,
    prefix: [merchantId],
    from: window.firstMinuteMs,
    to: window.lastMinuteMs,
    order: 'descending',
    documentsMax: DECISION_MINUTES_SCANNED_MAX,
    pageDocuments: DECISION_MINUTES_PAGE_DOCUMENTS,
  } as const
  let isBlurred = false
  const end = await scan<DecisionRollup>(
    store,
    range,
    ({ body }) => body.minuteMs,
    ({ body, position }) => {
      include(positions, position)
      if (body.lostCount > 0) isBlurred = true
      for (const cell of body.cells) {
        if (!isLabelled(cell, scope)) continue
        const match = matchOf(cell, scope)
        if (match === 'unknown') isBlurred = true
        if (match === 'matches') visit(cell, body.minuteMs)
      }
    },
  )
  return isBlurred ? 'truncated' : end
}
