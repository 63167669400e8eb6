import type { Now, ReadStore } from '@switchyard/kernel'
import { keyPart } from '../keys.ts'
import { CHANGES_PAGE_DOCUMENTS, CHANGES_SCANNED_MAX } from '../limits.ts'
import { type Freshness, freshnessOf } from '../queries/freshness.ts'
import { type IncludedPositions, include, scan } from '../queries/scan.ts'
import { type Change, changeJournal } from './change-journal.ts'
import { scoreResets } from './score-resets.ts'

/** Which changes are asked for; undefined asks for nothing. */
export interface ChangeQuery {
  /** Epoch milliseconds, both included. */
  readonly startMs: number | undefined
  readonly endMs: number | undefined
  readonly subject: string | undefined
  readonly subjectId: string | undefined
  readonly actor: string | undefined
  /** Name of the event. */
  readonly change: string | undefined
  /** From 1. */
  readonly page: number
  readonly pageSize: number
  /** When the merchant's history begins, epoch milliseconds: nothing before it is shown. */
  readonly historySince: number
}

/** Changes of one merchant, newest first. */
export interface Changes {
  readonly merchantId: string
  readonly changes: readonly Change[]
  /** All that were found, not only those of the page. */
  readonly total: number
  /** Positions are those of the topic `config`. */
  readonly freshness: Freshness
}

const isUnsetOr = (wanted: string | undefined, value: string | null): boolean => wanted === undefined || wanted === value

const isAsked = (change: Change, query: ChangeQuery): boolean =>
  isUnsetOr(query.subject, change.subject) &&
  isUnsetOr(query.subjectId, change.subjectId) &&
  isUnsetOr(query.actor, change.actor) &&
  isUnsetOr(query.change, change.change)

/** Takes changes from the newest on and keeps those of the page. */
interface Page {
  readonly take: (change: Change) => void
  readonly changes: readonly Change[]
  readonly total: () => number
}

const createPage = ({ page, pageSize }: ChangeQuery): Page => {
  const first = (page - 1) * pageSize
  const changes: Change[] = []
  let total = 0
  return {
    take: (change) => {
      if (total >= first && changes.length < pageSize) changes.push(change)
      total++
    },
    changes,
    total: () => total,
  }
}

interface Scanned {
  readonly store: ReadStore
  readonly collection: string
  readonly positions: IncludedPositions
}

const scanChanges = (
  { store, collection, positions }: Scanned,
  merchantId: string,
  query: ChangeQuery,
  visit: (change: Change) => void,
): Promise<'complete' | 'truncated'> => {
  const range = {
    collection,
    prefix: [keyPart(merchantId)],
    from: Math.max(query.startMs ?? 0, query.historySince),
    ...(query.endMs === undefined ? {} : { to: query.endMs }),
    order: 'descending',
    documentsMax: CHANGES_SCANNED_MAX,
    pageDocuments: CHANGES_PAGE_DOCUMENTS,
  } as const
  return scan<Change>(
    store,
    range,
    ({ body }) => body.at,
    ({ body, position }) => {
      include(positions, position)
      if (isAsked(body, query)) visit(body)
    },
  )
}

/** What the reads of changes need. */
export interface JournalDeps {
  /** Read models of the topic `config`. */
  readonly config: ReadStore
  /** Read models of the topic `payments`, where scores are reset. */
  readonly payments: ReadStore
  readonly now: Now
}

const readChanges = async ({ config, payments, now }: JournalDeps, merchantId: string, query: ChangeQuery): Promise<Changes> => {
  const page = createPage(query)
  const resets: Change[] = []
  const ofPayments = { store: payments, collection: scoreResets.name, positions: new Map() }
  const ofConfig = { store: config, collection: changeJournal.name, positions: new Map() }
  const resetsEnd = await scanChanges(ofPayments, merchantId, query, (reset) => resets.push(reset))
  const takeResets = (behind: number): void => {
    for (let next = resets[0]; next !== undefined && next.at > behind; next = resets[0]) {
      page.take(next)
      resets.shift()
    }
  }
  const end = await scanChanges(ofConfig, merchantId, query, (change) => {
    takeResets(change.at)
    page.take(change)
  })
  takeResets(Number.NEGATIVE_INFINITY)
  const { positions } = ofConfig
  return { merchantId, changes: page.changes, total: page.total(), freshness: freshnessOf(now(), { positions, ends: [end, resetsEnd] }) }
}

/** Reads of the journal of changes; arguments and answers are plain data. */
export interface JournalQueries {
  /** Who changed what and when, as it was and as it became. */
  readonly changes: (merchantId: string, query: ChangeQuery) => Promise<Changes>
}

/** {@link JournalQueries} over both topics. */
export const createJournalQueries = (deps: JournalDeps): JournalQueries => ({
  changes: (merchantId, query) => readChanges(deps, merchantId, query),
})
