import type { ReadStore, StoredDocument } from '@switchyard/kernel'
import { keyPart } from '../keys.ts'
import { PAYMENTS_PAGE_DOCUMENTS } from '../limits.ts'
import { type PaymentTimeline, paymentTimelines, TIMELINES_BY_LAST_SEEN } from '../timelines/payment-timelines.ts'
import type { EntryFacts, TimelineEntry } from '../timelines/timeline-entry.ts'
import { nextPage, type ScanPage } from './scan.ts'

type DecisionFacts = Extract<EntryFacts, { readonly kind: 'decision' }>

/** The newest decision of a payment as it was recorded, and what came of the payment. */
export interface RecordedDecision
  extends Pick<DecisionFacts, 'amount' | 'currency' | 'country' | 'cardType' | 'cardNetwork' | 'cardIsIn' | 'authType'>,
    Pick<DecisionFacts, 'preferredGateway' | 'candidates'> {
  readonly paymentId: string
  readonly gateway: string
  readonly paymentMethodType: string
  readonly paymentMethod: string
  /** Null while no gateway has given a final answer. */
  readonly isApproved: boolean | null
}

/** Which decisions are meant: those of a time, page by page, or those of payments. Times in epoch milliseconds, both ends included. */
export type DecisionsQuery =
  | {
      readonly startMs: number
      readonly endMs: number
      /** Where the page begins; null for the first one. */
      readonly page: ScanPage | null
    }
  | { readonly paymentIds: readonly string[] }

/** A page of decisions, newest payments first. */
export interface DecisionsPage {
  readonly decisions: readonly RecordedDecision[]
  /** The page behind it; null when there is none. */
  readonly next: ScanPage | null
}

type Wanted = (entry: TimelineEntry) => boolean

const decisionOf = ({ paymentId, verdict, entries }: PaymentTimeline, isWanted: Wanted): readonly RecordedDecision[] => {
  const entry = entries.findLast((candidate) => candidate.facts.kind === 'decision' && isWanted(candidate))
  if (entry?.facts.kind !== 'decision' || entry.gateway === null || paymentId === null) return []
  const { amount, currency, country, cardType, cardNetwork, cardIsIn, authType, preferredGateway, candidates } = entry.facts
  return [
    {
      paymentId,
      gateway: entry.gateway,
      paymentMethodType: entry.paymentMethodType ?? '',
      paymentMethod: entry.paymentMethod ?? '',
      amount,
      currency,
      country,
      cardType,
      cardNetwork,
      cardIsIn,
      authType,
      preferredGateway,
      candidates,
      isApproved: verdict === 'approved' ? true : verdict === 'declined' ? false : null,
    },
  ]
}

/** Most payments of one page. */
export const DECISIONS_PAGE_MAX: number = PAYMENTS_PAGE_DOCUMENTS

const lastSeenOf = ({ body }: StoredDocument<PaymentTimeline>): number => body.lastSeenMs

/** Payments are in the order of their last news, so those decided within the time are looked for up to now. */
const ofTime = async (
  store: ReadStore,
  merchantId: string,
  query: Extract<DecisionsQuery, { readonly page: unknown }>,
): Promise<DecisionsPage> => {
  const { startMs, endMs } = query
  const page = query.page ?? { bound: undefined, offset: 0 }
  const documents = await store.range<PaymentTimeline>({
    collection: paymentTimelines.name,
    index: TIMELINES_BY_LAST_SEEN,
    prefix: [keyPart(merchantId), 'live'],
    from: startMs,
    ...(page.bound === undefined ? {} : { to: page.bound }),
    order: 'descending',
    offset: page.offset,
    limit: DECISIONS_PAGE_MAX,
  })
  const decisions = documents.flatMap(({ body }) => decisionOf(body, ({ at }) => at >= startMs && at <= endMs))
  return { decisions, next: documents.length < DECISIONS_PAGE_MAX ? null : nextPage(documents, lastSeenOf, page) }
}

/** Reads recorded decisions of a merchant; `historySince` is when the merchant's history begins, epoch milliseconds. */
export const readRecordedDecisions = async (
  store: ReadStore,
  merchantId: string,
  query: DecisionsQuery,
  historySince: number,
): Promise<DecisionsPage> => {
  if ('page' in query) return ofTime(store, merchantId, { ...query, startMs: Math.max(query.startMs, historySince) })
  const ids = query.paymentIds.slice(0, DECISIONS_PAGE_MAX)
  const keys = ids.map((id) => [keyPart(merchantId), 'live', keyPart(id)])
  const found = await store.getMany<PaymentTimeline>(paymentTimelines.name, keys)
  const decisions = found.flatMap((document) => (document === undefined ? [] : decisionOf(document.body, ({ at }) => at >= historySince)))
  return { decisions, next: null }
}
