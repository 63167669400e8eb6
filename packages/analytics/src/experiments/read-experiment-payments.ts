import type { ReadStore, StoredDocument } from '@switchyard/kernel'
import { keyPart } from '../keys.ts'
import { PAYMENTS_PAGE_DOCUMENTS, PAYMENTS_SCANNED_MAX } from '../limits.ts'
import { type Freshness, freshnessOf } from '../queries/freshness.ts'
import { type IncludedPositions, include, scan } from '../queries/scan.ts'
import type { Arm, ExperimentStanding } from '../recorded-payment.ts'
import { type ExperimentPayment, experimentPayments, PAYMENTS_BY_LAST_EVENT } from './experiment-payments.ts'
import type { ExperimentQuery } from './read-experiment.ts'

/** Which payments are listed; times are those of their newest event. */
export interface ExperimentPaymentsQuery extends ExperimentQuery {
  /** Undefined: any. */
  readonly arm: Arm | undefined
  readonly standing: ExperimentStanding | undefined
  /** From 1. */
  readonly page: number
  readonly pageSize: number
}

/** A page of payments, the newest first, and how many there are. */
export interface ExperimentPaymentsPage {
  /** Among the newest {@link PAYMENTS_SCANNED_MAX}. */
  readonly total: number
  readonly payments: readonly ExperimentPayment[]
  readonly freshness: Freshness
}

/** What fell into an arm before the history begins is left out, also when its end came later. */
const isAsked = ({ arm, standing, historySince }: ExperimentPaymentsQuery, payment: ExperimentPayment): boolean =>
  payment.assignedMs >= historySince &&
  (arm === undefined || payment.arm === arm) &&
  (standing === undefined || payment.standing === standing)

/** Lists the payments of an experiment (analytics.md 6.6). */
export const readExperimentPayments = async (
  store: ReadStore,
  now: number,
  merchantId: string,
  query: ExperimentPaymentsQuery,
): Promise<ExperimentPaymentsPage> => {
  const { experimentId, startMs, endMs, historySince, page, pageSize } = query
  const positions: IncludedPositions = new Map()
  const payments: ExperimentPayment[] = []
  const first = (page - 1) * pageSize
  let total = 0
  const range = {
    collection: experimentPayments.name,
    index: PAYMENTS_BY_LAST_EVENT,
    prefix: [keyPart(merchantId), keyPart(experimentId)],
    from: Math.max(startMs ?? 0, historySince),
    to: endMs ?? Number.MAX_SAFE_INTEGER,
    order: 'descending',
    documentsMax: PAYMENTS_SCANNED_MAX,
    pageDocuments: PAYMENTS_PAGE_DOCUMENTS,
  } as const
  const lastEvent = ({ body }: StoredDocument<ExperimentPayment>): number => body.lastEventMs
  const end = await scan<ExperimentPayment>(store, range, lastEvent, ({ body, position }) => {
    include(positions, position)
    if (!isAsked(query, body)) return
    if (total >= first && payments.length < pageSize) payments.push(body)
    total += 1
  })
  return { total, payments, freshness: freshnessOf(now, { positions, ends: [end] }) }
}
