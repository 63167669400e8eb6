import type { ReadStore, StoredDocument } from '@switchyard/kernel'
import type { SummaryKind } from '../flows.ts'
import { keyPart } from '../keys.ts'
import { PAYMENTS_PAGE_DOCUMENTS, PAYMENTS_SCANNED_MAX, SPANNING_SCANNED_MAX } from '../limits.ts'
import { type PaymentTimeline, paymentTimelines, TIMELINES_BY_LAST_SEEN, TIMELINES_BY_REQUEST } from '../timelines/payment-timelines.ts'
import type { TimelineEntry } from '../timelines/timeline-entry.ts'
import type { Verdict } from '../timelines/verdict.ts'
import { type AnsweredWindow, answeredWindow, type Freshness, freshnessOf, type Reach } from './freshness.ts'
import { isFound, type PaymentFilter } from './payment-filter.ts'
import { type IncludedPositions, include, scan } from './scan.ts'
import { resolveWindow, type Window, type WindowQuery } from './window.ts'

/** A search for payments, or for one of them by id. */
export interface AuditQuery extends PaymentFilter {
  readonly window: WindowQuery
  readonly summaryKind: SummaryKind
  /** Payment id or request id; the window and all filters are then without effect. */
  readonly exactId: string | undefined
  /** From 1. */
  readonly page: number
  readonly pageSize: number
}

/** A payment without what may be long. */
export type PaymentSummary = Omit<PaymentTimeline, 'entries' | 'requestIds'>

/** All payments found, not only those of the page. */
export interface AuditTotals {
  readonly results: number
  /** Approved payments; of evaluations those where a rule matched. */
  readonly success: number
  /** Declined payments, and those of which every call failed. */
  readonly failure: number
  readonly byVerdict: Readonly<Record<Verdict, number>>
}

/** Payments found, and the entries of the first one on the page, oldest first. */
export interface PaymentAudit {
  readonly merchantId: string
  readonly window: AnsweredWindow
  readonly totals: AuditTotals
  readonly results: readonly PaymentSummary[]
  readonly timeline: { readonly payment: PaymentSummary; readonly entries: readonly TimelineEntry[] } | null
  readonly freshness: Freshness
}

const summaryOf = ({ entries: _entries, requestIds: _requestIds, ...summary }: PaymentTimeline): PaymentSummary => summary

const totalsOf = (found: readonly PaymentSummary[]): AuditTotals => {
  const byVerdict = { decided: 0, approved: 0, declined: 0, pending: 0, error: 0, evaluated: 0, defaulted: 0 }
  for (const { verdict } of found) if (verdict !== null) byVerdict[verdict]++
  return {
    results: found.length,
    success: byVerdict.approved + byVerdict.evaluated,
    failure: byVerdict.declined + byVerdict.error,
    byVerdict,
  }
}

const newestFirst = (a: PaymentSummary, b: PaymentSummary): number => b.lastSeenMs - a.lastSeenMs || b.eventCount - a.eventCount

type Found = Reach & { readonly payments: readonly PaymentSummary[] }

interface Search {
  readonly merchantId: string
  readonly query: AuditQuery
  readonly window: Window
}

/**
 * Payments whose life overlaps the window: those last seen in it, and those that began before its end and went on after it. In this order: one that goes
 * on while the former are read is found among the latter, perhaps once more.
 */
const search = async (store: ReadStore, { merchantId, query, window }: Search): Promise<Found> => {
  const positions: IncludedPositions = new Map()
  const payments = new Map<string, PaymentSummary>()
  const visit = ({ body, position }: StoredDocument<PaymentTimeline>): void => {
    include(positions, position)
    if (body.firstSeenMs <= window.endMs && isFound(body, query)) payments.set(body.lookupKey, summaryOf(body))
    else payments.delete(body.lookupKey)
  }
  const lastSeen = ({ body }: StoredDocument<PaymentTimeline>): number => body.lastSeenMs
  const prefix = [merchantId, query.summaryKind]
  const part = { collection: paymentTimelines.name, index: TIMELINES_BY_LAST_SEEN, prefix, pageDocuments: PAYMENTS_PAGE_DOCUMENTS }
  const inside = { ...part, from: window.startMs, to: window.endMs, order: 'descending', documentsMax: PAYMENTS_SCANNED_MAX } as const
  const behind = { ...part, from: window.endMs + 1, order: 'ascending', documentsMax: SPANNING_SCANNED_MAX } as const
  const ends = [await scan(store, inside, lastSeen, visit), await scan(store, behind, lastSeen, visit)]
  return { positions, ends, payments: [...payments.values()].sort(newestFirst) }
}

type Stored = StoredDocument<PaymentTimeline>

/** By payment id or by any request id, whenever it happened; of several payments of a request the one that began last. */
const lookUp = async (store: ReadStore, merchantId: string, kind: SummaryKind, id: string): Promise<Stored | undefined> => {
  const key = [merchantId, kind, keyPart(id)]
  const direct = await store.get<PaymentTimeline>(paymentTimelines.name, key)
  if (direct !== undefined) return direct
  const byRequest = { collection: paymentTimelines.name, index: TIMELINES_BY_REQUEST, prefix: key, order: 'descending', limit: 1 } as const
  const [newest] = await store.range<PaymentTimeline>(byRequest)
  return newest
}

/** What an earlier merchant of the id did is not found. */
const find = async (store: ReadStore, { merchantId, query }: Omit<Search, 'window'>, id: string): Promise<Stored | undefined> => {
  const found = await lookUp(store, merchantId, query.summaryKind, id)
  return found !== undefined && found.body.lastSeenMs >= query.window.historySince ? found : undefined
}

const timelineOf = (stored: Stored | undefined, historySince: number): PaymentAudit['timeline'] => {
  if (stored === undefined) return null
  const entries = stored.body.entries.filter(({ at }) => at >= historySince)
  // The sort is stable: entries of one millisecond stay in the order of the log.
  return { payment: summaryOf(stored.body), entries: entries.toSorted((a, b) => a.at - b.at) }
}

/** Whether the payment's oldest entries are no longer kept. */
const isCut = ({ body }: Stored): boolean => body.eventCount > body.entries.length

const readExact = async (store: ReadStore, now: number, { merchantId, query, window }: Search, id: string): Promise<PaymentAudit> => {
  const stored = await find(store, { merchantId, query }, id)
  const found = stored === undefined ? [] : [summaryOf(stored.body)]
  const positions: IncludedPositions = new Map()
  if (stored !== undefined) include(positions, stored.position)
  return {
    merchantId,
    window: answeredWindow(window),
    totals: totalsOf(found),
    results: found,
    timeline: timelineOf(stored, query.window.historySince),
    freshness: freshnessOf(now, { positions, ends: stored !== undefined && isCut(stored) ? ['truncated'] : [] }),
  }
}

/** Audit of payments, or of evaluations of rules (analytics.md 2.7). */
export const readPaymentAudit = async (store: ReadStore, now: number, merchantId: string, query: AuditQuery): Promise<PaymentAudit> => {
  const window = resolveWindow(query.window, now)
  const asked = { merchantId, query, window }
  if (query.exactId !== undefined) return readExact(store, now, asked, query.exactId)
  const found = await search(store, asked)
  const first = (query.page - 1) * query.pageSize
  const results = found.payments.slice(first, first + query.pageSize)
  const head = results[0]
  const stored = head && (await store.get<PaymentTimeline>(paymentTimelines.name, [merchantId, query.summaryKind, head.lookupKey]))
  return {
    merchantId,
    window: answeredWindow(window),
    totals: totalsOf(found.payments),
    results,
    timeline: timelineOf(stored, query.window.historySince),
    freshness: freshnessOf(now, found),
  }
}
