import { type Answer, call, decisionRequest, type TestMerchant } from './client.ts'

export const tenant: Readonly<Record<string, string>> = { 'x-tenant-id': 'public' }

/** Position of what was written last: reads that name it wait for it. */
export const positionOf = (answer: Answer): Readonly<Record<string, string>> => {
  const position = answer.headers.get('x-log-position')
  return position === null ? {} : { 'x-min-log-position': position }
}

/** What became of a report, as the audit tells it. */
export interface ToldReport {
  readonly disposition: string
  readonly counted_as: string | null
  readonly reason: string
}

/** Decisions and reports of one merchant, who may change from test to test. */
export const feedbackClient = (url: () => string, merchant: () => TestMerchant) => {
  const configure = (data: object) =>
    call(url(), 'POST /rule/create', {
      body: {
        merchant_id: merchant().id,
        config: { type: 'successRate', data: { defaultBucketSize: 10, defaultHedgingPercent: 0, ...data } },
      },
      headers: merchant().key,
    })
  const decide = (paymentId: string, change: object = {}, payment: object = {}) =>
    call(url(), 'POST /decide-gateway', { body: decisionRequest(merchant().id, paymentId, change, payment), headers: merchant().key })
  const report = (paymentId: string, status: string, change: object = {}) =>
    call(url(), 'POST /update-gateway-score', {
      body: { merchantId: merchant().id, gateway: 'stripe', paymentId, status, ...change },
      headers: merchant().key,
    })
  const audit = (paymentId: string, last: Answer) =>
    call(url(), `GET /analytics/payment-audit?payment_id=${paymentId}`, {
      headers: { ...merchant().key, ...tenant, ...positionOf(last) },
    })
  return {
    configure,
    decide,
    report,
    audit,
    /** The score once the answered write is folded. */
    scoreAfter: async (last: Answer, gateway = 'stripe'): Promise<number> => {
      const body = decisionRequest(merchant().id, `probe_${Math.random()}`)
      const { json } = await call(url(), 'POST /decide-gateway', { body, headers: { ...merchant().key, ...positionOf(last) } })
      return json.gateway_priority_map[gateway]
    },
    /** What became of the reports of a payment, oldest first. */
    reasonsOf: async (paymentId: string, last: Answer): Promise<readonly ToldReport[]> => {
      const { json } = await audit(paymentId, last)
      return json.timeline
        .filter(({ flow_type }: { flow_type: string }) => flow_type === 'update_gateway_score_update')
        .map((entry: { details_json: { selection_reason: ToldReport } }) => entry.details_json.selection_reason)
    },
    toggle: (feature: string) =>
      call(url(), `POST /merchant-account/${merchant().id}/features/${feature}`, { body: { enabled: true }, headers: merchant().key }),
  }
}
