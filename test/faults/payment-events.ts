import type { GatewayDecided, OutcomeRecorded } from '@switchyard/events'
import { sampleGatewayDecided, sampleOutcomeRecorded } from '@switchyard/testing'

/** What tells one payment from another. */
export interface PaymentFact {
  readonly merchantId: string
  readonly paymentId: string
  readonly at: number
}

/** A decision for `adyen` as the service records it. */
export const decidedEvent = (fact: PaymentFact): GatewayDecided =>
  sampleGatewayDecided({
    ...fact,
    requestId: `req_${fact.paymentId}`,
    gateway: 'adyen',
    fallbacks: ['stripe', 'checkout'],
    gatewayBeforeEvaluation: 'adyen',
  })

/** What came of it; every tenth payment fails. */
export const outcomeEvent = (fact: PaymentFact): OutcomeRecorded => {
  const result = fact.paymentId.endsWith('7')
    ? ({ status: 'FAILURE', statusClass: 'FAILURE' } as const)
    : ({ status: 'CHARGED', statusClass: 'SUCCESS' } as const)
  return sampleOutcomeRecorded({ ...fact, ...result, requestId: `req_${fact.paymentId}_outcome`, gateway: 'adyen' })
}
