import type { Now, ReadStore } from '@switchyard/kernel'
import { keyPart } from '../keys.ts'
import { CHANGES_PAGE_DOCUMENTS, CHANGES_SCANNED_MAX } from '../limits.ts'
import { type Freshness, freshnessOf } from '../queries/freshness.ts'
import { type IncludedPositions, include, scan } from '../queries/scan.ts'
import { type CalibrationQuery, type Calibrations, readCalibrations } from '../tuning/read-calibrations.ts'
import { type Change, changeJournal } from './change-journal.ts'
import type { Difference } from './differences.ts'
import { reportChanges } from './report-changes.ts'
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

/** What every part of a configuration notes of its merchant for itself; nobody did that. */
const OF_ITSELF = /\.(registered|registrationCount|merchantRegistrationCount|historySince|closedAt)$/
/** Where a person lands, and what is still to be mailed to them: both may name another merchant they belong to. */
const OF_PERSONS = /^(?:users\.homeMerchantId$|mails\.)/
/** There it is the change. */
const REGISTRATION = 'merchants.registered'

const isTold = ({ field }: Difference): boolean => field === REGISTRATION || !(OF_ITSELF.test(field) || OF_PERSONS.test(field))

const toldOf = (change: Change): Change => ({ ...change, differences: change.differences.filter(isTold) })

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
      if (total >= first && changes.length < pageSize) changes.push(toldOf(change))
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
  /** Read models of a topic: scores are reset in that of the payments, reports come and go in that of the costs. */
  readonly readModels: (topic: 'config' | 'payments' | 'costs') => ReadStore
  readonly now: Now
}

const readChanges = async ({ readModels, now }: JournalDeps, merchantId: string, query: ChangeQuery): Promise<Changes> => {
  const page = createPage(query)
  const others: Change[] = []
  const ofConfig = { store: readModels('config'), collection: changeJournal.name, positions: new Map() }
  const ends = await Promise.all(
    [
      { store: readModels('payments'), collection: scoreResets.name, positions: new Map() },
      { store: readModels('costs'), collection: reportChanges.name, positions: new Map() },
    ].map((scanned) => scanChanges(scanned, merchantId, query, (change) => others.push(change))),
  )
  others.sort((a, b) => b.at - a.at)
  let taken = 0
  const takeOthers = (behind: number): void => {
    for (let next = others[taken]; next !== undefined && next.at > behind; next = others[taken]) {
      page.take(next)
      taken++
    }
  }
  const end = await scanChanges(ofConfig, merchantId, query, (change) => {
    takeOthers(change.at)
    page.take(change)
  })
  takeOthers(Number.NEGATIVE_INFINITY)
  const { positions } = ofConfig
  return { merchantId, changes: page.changes, total: page.total(), freshness: freshnessOf(now(), { positions, ends: [end, ...ends] }) }
}

/** Reads of the journal of changes; arguments and answers are plain data. */
export interface JournalQueries {
  /** Who changed what and when, as it was and as it became. */
  readonly changes: (merchantId: string, query: ChangeQuery) => Promise<Changes>
  /** What the self-tuning did. */
  readonly calibrations: (merchantId: string, query: CalibrationQuery) => Promise<Calibrations>
}

/** {@link JournalQueries} over the three topics. */
export const createJournalQueries = (deps: JournalDeps): JournalQueries => ({
  changes: (merchantId, query) => readChanges(deps, merchantId, query),
  calibrations: (merchantId, query) => readCalibrations(deps.readModels('config'), deps.now(), merchantId, query),
})
