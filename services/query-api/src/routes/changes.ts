import type { Change, Changes, JournalQueries } from '@switchyard/analytics'
import { mayActFor, platformError, type Route, type RouteReply, type RouteRequest, replyToRefusal } from '@switchyard/http'
import { text } from './analytics-query.ts'
import { type ChangeRequest, parseChangeQuery } from './change-query.ts'
import { changesQueryParameters, changesSchema } from './figure-schemas.ts'
import { freshnessAnswer } from './freshness-answer.ts'
import { answerQuery } from './merchant-reads.ts'

/** What the read of changes works with. */
export interface ChangesRouteDeps {
  readonly journal: JournalQueries
  /** When a merchant's history begins, epoch milliseconds. */
  readonly historySinceOf: (merchantId: string) => number
  readonly isMerchant: (merchantId: string) => boolean
}

const sidesOf = (change: Change, side: 'before' | 'after'): object =>
  Object.fromEntries(change.differences.map((difference) => [difference.field, difference[side]]))

const changeAnswer = (change: Change): object => ({
  id: change.id,
  at: new Date(change.at).toISOString(),
  at_ms: change.at,
  change: change.change,
  subject: change.subject,
  subject_id: change.subjectId,
  actor: change.actor,
  request_id: change.requestId,
  before: sidesOf(change, 'before'),
  after: sidesOf(change, 'after'),
})

const changesAnswer = ({ merchantId, changes, total, freshness }: Changes, { page, pageSize }: ChangeRequest): object => ({
  merchant_id: merchantId,
  changes: changes.map(changeAnswer),
  page,
  page_size: pageSize,
  total_results: total,
  ...freshnessAnswer(freshness),
})

/** The merchant named, if the caller may act for it, else that of the credential; existence comes first (contract/README.md 13). */
const merchantOf = ({ identity, query }: RouteRequest, { isMerchant }: ChangesRouteDeps): string | RouteReply => {
  const own = identity.kind === 'key' || identity.kind === 'user' ? identity.merchantId : ''
  const merchantId = text(query, 'merchant_id') ?? own
  if (merchantId === '') return platformError(400, 'TE_03', 'merchant_id: must name the merchant, the credential has none')
  if (!isMerchant(merchantId)) return replyToRefusal({ code: 'MERCHANT_NOT_FOUND', merchantId })
  return mayActFor(identity, merchantId) ? merchantId : replyToRefusal({ code: 'MERCHANT_FOREIGN', merchantId })
}

/** `GET /audit/changes`: who changed what and when, as it was and as it became, newest first. */
export const changesRoute = (deps: ChangesRouteDeps): Route => ({
  spec: {
    method: 'GET',
    path: '/audit/changes',
    access: 'protected',
    permission: 'routing:read',
    tenant: false,
    body: 'none',
    hot: false,
    servedBy: 'read-models',
  },
  api: {
    summary: 'Who changed what and when, as it was and as it became',
    query: changesQueryParameters,
    answer: changesSchema,
    refusals: { 404: 'The merchant named is not known' },
  },
  handle: async (request) =>
    await answerQuery(async () => {
      const asked = parseChangeQuery(request.query)
      const merchantId = merchantOf(request, deps)
      if (typeof merchantId !== 'string') return merchantId
      const query = { ...asked, historySince: deps.historySinceOf(merchantId) }
      return { status: 200, body: changesAnswer(await deps.journal.changes(merchantId, query), asked) }
    }),
})
