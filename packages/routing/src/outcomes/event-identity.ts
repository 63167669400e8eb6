import type { OutcomeRecorded, PaymentsEventPart } from '@switchyard/events'
import { assertNever, hash53 } from '@switchyard/kernel'

const HASH_LIMIT = 2 ** 53

const hashOf = ({ type, data }: PaymentsEventPart): number => {
  switch (type) {
    case 'GatewayDecided':
      return hash53(data.requestId, data.paymentId)
    case 'OutcomeRecorded':
      return hash53(data.requestId, data.paymentId, data.gateway, data.status)
    case 'GatewayScoresReset':
    case 'ApiKeysUsed':
      return hash53(type, data.requestId)
    case 'DecisionRefused':
    case 'OutcomeRefused':
    case 'RuleEvaluated':
    case 'RuleEvaluationRefused':
      return hash53(type, data.requestId, data.paymentId ?? '')
    default:
      return assertNever(type)
  }
}

/** What a report said, as a number of 53 bits: two lines of an upload with equal content have the same. */
export const contentOf = ({ paymentId, gateway, status }: Pick<OutcomeRecorded['data'], 'paymentId' | 'gateway' | 'status'>): number =>
  hash53(paymentId, gateway, status)

/**
 * What tells an event from all others as a 53-bit number: kind, request, payment and time (two requests of one id within a
 * millisecond are one). A batch that was appended although the append was answered with an error is sent again: its events
 * then stand in the log twice, with equal identities.
 */
export const identityOf = (event: PaymentsEventPart): number => (hashOf(event) + Math.abs(event.data.at)) % HASH_LIMIT
