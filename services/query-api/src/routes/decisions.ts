import type { AuditQuery } from '@switchyard/analytics'
import { platformError, type Route } from '@switchyard/http'
import { explanationAnswer } from '../explanation/explanation-answer.ts'
import type { AnalyticsRouteDeps } from './analytics.ts'
import { explanationSchema } from './audit-schemas.ts'
import { answerRead } from './merchant-reads.ts'

const queryOf = (paymentId: string, historySince: number): AuditQuery => ({
  window: { range: '1h', startMs: undefined, endMs: undefined, bucket: undefined, historySince },
  summaryKind: 'live',
  exactId: paymentId,
  page: 1,
  pageSize: 1,
  gateway: undefined,
  route: undefined,
  flowType: undefined,
  errorCode: undefined,
  status: undefined,
  routingApproach: undefined,
  excludeRoutingApproach: undefined,
})

/** `GET /decisions/{payment_id}`: how a payment was decided and what came of it, in words and as data, as it was recorded. */
export const decisionRoute = ({ queries, historySinceOf }: AnalyticsRouteDeps): Route => ({
  spec: {
    method: 'GET',
    path: '/decisions/:paymentId',
    access: 'protected',
    permission: 'routing:read',
    tenant: false,
    body: 'none',
    hot: false,
    identity: 'required',
    servedBy: 'read-models',
  },
  api: {
    summary: 'How a payment was decided, and what came of it',
    answer: explanationSchema,
    refusals: { 404: 'Nothing is known of the payment' },
  },
  handle: (request) =>
    answerRead(request, async (merchantId) => {
      const audit = await queries.paymentAudit(merchantId, queryOf(request.params['paymentId'] ?? '', historySinceOf(merchantId)))
      const body = explanationAnswer(audit)
      return body === undefined ? platformError(404, 'TE_02', 'Nothing is known of this payment') : { status: 200, body }
    }),
})
