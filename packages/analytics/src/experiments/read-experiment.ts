import type { ReadStore, StoredDocument } from '@switchyard/kernel'
import { keyPart, minuteOf } from '../keys.ts'
import { MINUTES_PAGE_DOCUMENTS, MINUTES_SCANNED_MAX } from '../limits.ts'
import { type Freshness, freshnessOf } from '../queries/freshness.ts'
import { type IncludedPositions, include, scan } from '../queries/scan.ts'
import { lastMinuteOf } from '../queries/window.ts'
import { addTallies } from './add-tallies.ts'
import { type ExperimentTally, experimentTallies, tallyKey } from './experiment-tallies.ts'

/** Which payments of an experiment are asked for: those that fell into it within these times, epoch milliseconds. */
export interface ExperimentQuery {
  readonly experimentId: string
  readonly startMs: number | undefined
  readonly endMs: number | undefined
  /** When the merchant's history begins: what an earlier merchant of its id did is left out. */
  readonly historySince: number
}

/** The figures of an experiment; whole minutes at the bounds of a window. */
export interface ExperimentFigures {
  readonly tally: ExperimentTally
  readonly freshness: Freshness
}

const isWhole = ({ startMs, endMs, historySince }: ExperimentQuery, tally: ExperimentTally): boolean =>
  endMs === undefined && Math.max(startMs ?? 0, historySince) <= (tally.firstAssignedMs ?? 0)

/** Reads the figures: the whole at once, a part of it by its minutes, of which the newest {@link MINUTES_SCANNED_MAX} count. */
export const readExperimentFigures = async (
  store: ReadStore,
  now: number,
  merchantId: string,
  query: ExperimentQuery,
): Promise<ExperimentFigures> => {
  const { experimentId, startMs, endMs, historySince } = query
  const key = tallyKey(merchantId, experimentId, null)
  const positions: IncludedPositions = new Map()
  const stored = await store.get<ExperimentTally>(experimentTallies.name, key)
  if (stored === undefined) return { tally: experimentTallies.initialView(key), freshness: freshnessOf(now, { positions, ends: [] }) }
  if (isWhole(query, stored.body)) {
    include(positions, stored.position)
    return { tally: stored.body, freshness: freshnessOf(now, { positions, ends: [] }) }
  }
  let tally = experimentTallies.initialView(key)
  const range = {
    collection: experimentTallies.name,
    prefix: [keyPart(merchantId), keyPart(experimentId)],
    from: minuteOf(Math.max(startMs ?? 0, historySince)),
    to: lastMinuteOf(endMs ?? now, now),
    order: 'descending',
    documentsMax: MINUTES_SCANNED_MAX,
    pageDocuments: MINUTES_PAGE_DOCUMENTS,
  } as const
  const minuteIn = ({ body }: StoredDocument<ExperimentTally>): number => body.minuteMs ?? 0
  const end = await scan<ExperimentTally>(store, range, minuteIn, ({ body, position }) => {
    include(positions, position)
    // Payments of before can't be told from the others of their minute: then it is left out.
    if ((body.firstAssignedMs ?? historySince) >= historySince) tally = addTallies(tally, body)
  })
  return { tally, freshness: freshnessOf(now, { positions, ends: [end] }) }
}
