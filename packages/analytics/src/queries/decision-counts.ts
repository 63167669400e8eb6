import type { ReadStore } from '@switchyard/kernel'
import type { DecisionCell } from '../rollups/decision-rollups.ts'
import type { DecisionGroup } from '../rollups/minute-rollup.ts'
import { DIMENSIONS } from './cells.ts'
import { type DecisionScope, isLabelled, scanDecisions } from './decision-cells.ts'
import { scanMinutes, type TotalledMinutes } from './minutes.ts'
import type { IncludedPositions } from './scan.ts'

/** Adds decisions up that are alike in gateway and label; takes the start of their period, epoch milliseconds. */
export interface DecisionSum {
  readonly add: (decisions: DecisionGroup, periodMs: number) => void
  /** Hears of cells beside that; counts of periods have none. */
  readonly addCell?: (cell: DecisionCell) => void
}

/** What was added up. */
export interface CountedDecisions<Sum> {
  readonly sum: Sum
  readonly end: 'complete' | 'truncated'
  /** Decisions, asked for or not, of which the periods don't tell gateway and label. */
  readonly lostCount: number
  /** All counts of the window, where they were read for it. */
  readonly counted?: TotalledMinutes
}

/** How the decisions asked for are read. */
interface Reading<Sum> {
  readonly store: ReadStore
  readonly scope: DecisionScope
  readonly positions: IncludedPositions
  readonly create: () => Sum
}

/** Adds up what cells tell of the decisions asked for. */
export const countCells = async <Sum extends DecisionSum>({
  store,
  scope,
  positions,
  create,
}: Reading<Sum>): Promise<CountedDecisions<Sum>> => {
  const sum = create()
  const visit = (cell: DecisionCell, periodMs: number): void => {
    sum.add(cell, periodMs)
    sum.addCell?.(cell)
  }
  return { sum, ...(await scanDecisions(store, scope, positions, visit)) }
}

const fromCounts = async <Sum extends DecisionSum>({
  store,
  scope,
  positions,
  create,
}: Reading<Sum>): Promise<Required<CountedDecisions<Sum>>> => {
  const { gateways } = scope
  const sum = create()
  let lostCount = 0
  const counted = await scanMinutes(store, scope, positions, ({ decisions, ungroupedDecisionCount, minuteMs }) => {
    lostCount += ungroupedDecisionCount
    for (const group of decisions) {
      if (isLabelled(group, scope) && (gateways.length === 0 || gateways.includes(group.gateway))) sum.add(group, minuteMs)
    }
  })
  return { sum, lostCount, end: lostCount > 0 ? 'truncated' : counted.end, counted }
}

/**
 * Adds the decisions asked for up by gateway and label. Cells tell payments apart by much more, and an hour or a day soon has no room for
 * another kind: as long as no dimension is asked for, the counts of the periods lack fewer. Takes what cells told, where that is known.
 */
export const countDecisions = async <Sum extends DecisionSum>(
  reading: Reading<Sum>,
  known?: CountedDecisions<Sum>,
): Promise<CountedDecisions<Sum>> => {
  const { dimensions } = reading.scope
  if (DIMENSIONS.some((dimension) => dimensions[dimension] !== undefined)) return known ?? (await countCells(reading))
  if (known?.lostCount === 0) return known
  const ofPeriods = await fromCounts(reading)
  if (ofPeriods.lostCount === 0) return ofPeriods
  const cells = known ?? (await countCells(reading))
  return cells.lostCount < ofPeriods.lostCount ? { ...cells, counted: ofPeriods.counted } : ofPeriods
}
