import type { Now, ReadStore } from '@switchyard/kernel'
import { keyPart } from '../keys.ts'
import { CHANGES_PAGE_DOCUMENTS, CHANGES_SCANNED_MAX } from '../limits.ts'
import { type Freshness, freshnessOf } from '../queries/freshness.ts'
import { type IncludedPositions, include, scan } from '../queries/scan.ts'
import { type Change, changeJournal } from './change-journal.ts'

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

const readChanges = async (store: ReadStore, now: number, merchantId: string, query: ChangeQuery): Promise<Changes> => {
  const positions: IncludedPositions = new Map()
  const first = (query.page - 1) * query.pageSize
  const changes: Change[] = []
  let total = 0
  const range = {
    collection: changeJournal.name,
    prefix: [keyPart(merchantId)],
    from: Math.max(query.startMs ?? 0, query.historySince),
    ...(query.endMs === undefined ? {} : { to: query.endMs }),
    order: 'descending',
    documentsMax: CHANGES_SCANNED_MAX,
    pageDocuments: CHANGES_PAGE_DOCUMENTS,
  } as const
  const end = await scan<Change>(
    store,
    range,
    ({ body }) => body.at,
    ({ body, position }) => {
      include(positions, position)
      if (!isAsked(body, query)) return
      if (total >= first && changes.length < query.pageSize) changes.push(body)
      total++
    },
  )
  return { merchantId, changes, total, freshness: freshnessOf(now, { positions, ends: [end] }) }
}

/** Reads of the journal of changes; arguments and answers are plain data. */
export interface JournalQueries {
  /** Who changed what and when, as it was and as it became. */
  readonly changes: (merchantId: string, query: ChangeQuery) => Promise<Changes>
}

/** {@link JournalQueries} over the read models of the topic `config`. */
export const createJournalQueries = ({ store, now }: { readonly store: ReadStore; readonly now: Now }): JournalQueries => ({
  changes: (merchantId, query) => readChanges(store, now(), merchantId, query),
})
