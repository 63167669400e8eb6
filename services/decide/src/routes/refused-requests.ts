import type { RefusedPayment } from '@switchyard/events'
import type { Refusal, RouteRequest } from '@switchyard/http'
import { assertNever, beginningOf, ID_LENGTH_MAX } from '@switchyard/kernel'
import { keptAuthType } from '@switchyard/routing'
import { DOCUMENT_LENGTH_MAX } from '../limits.ts'
import { cardIsinOf } from './card-isin.ts'
import { type DecisionProblem, merchantForeign, merchantNotFound, tooLarge, unparsable } from './decision-envelope.ts'
import { isId, isTextOf } from './plain-values.ts'

/** A member of the body, when the body can be read that far. */
export const memberOf = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null && Object.hasOwn(body, name) ? Reflect.get(body, name) : undefined

/** A text that may stand in an event: of bounded length, whatever was sent. */
const readable = (value: unknown): string | null => (isId(value) ? value : null)

/** What can be read of a request that is refused. */
export const readablePaymentId = (body: unknown): string | null =>
  readable(memberOf(memberOf(body, 'paymentInfo'), 'paymentId')) ?? readable(memberOf(body, 'paymentId'))

export const readableRankingAlgorithm = (body: unknown): string | null => readable(memberOf(body, 'rankingAlgorithm'))

export const readableGateway = (body: unknown): string | null => readable(memberOf(body, 'gateway')) || null

/** What refused payments are told apart by, as decided ones are; null when nothing of it is there. Of a card number only the first digits stay. */
export const readablePayment = (body: unknown): RefusedPayment | null => {
  const info = memberOf(body, 'paymentInfo')
  const text = (name: string): string | null => readable(memberOf(info, name))
  const source = memberOf(info, 'paymentSource')
  const paymentSource = isTextOf(source, DOCUMENT_LENGTH_MAX) ? source : null
  const payment = {
    paymentMethodType: text('paymentMethodType'),
    paymentMethod: text('paymentMethod'),
    cardNetwork: text('cardSwitchProvider'),
    cardIsIn: cardIsinOf({ cardIsin: text('cardIsin'), paymentSource }),
    currency: text('currency'),
    country: text('country'),
    authType: keptAuthType(text('authType')),
  }
  return Object.values(payment).some((value) => value !== null) ? payment : null
}

/** The merchant under which a refusal is recorded: that of the credential. Undefined when the credential has none. */
export const credentialMerchant = ({ identity }: RouteRequest): string | undefined => {
  switch (identity.kind) {
    case 'anonymous':
    case 'admin':
      return undefined
    case 'key':
    case 'user':
      return identity.merchantId === '' ? undefined : identity.merchantId
    default:
      return assertNever(identity)
  }
}

/** What the gate's refusals look like on decision routes. */
export const problemOfRefusal = (refusal: Refusal): DecisionProblem => {
  switch (refusal.code) {
    case 'BODY_UNREADABLE':
      return unparsable(refusal.detail)
    case 'BODY_ENCODED':
      return unparsable('a Content-Encoding is not supported')
    case 'BODY_TOO_LARGE':
      return tooLarge(refusal.limitBytes)
    case 'MERCHANT_NOT_FOUND':
      return merchantNotFound(beginningOf(refusal.merchantId, ID_LENGTH_MAX))
    case 'MERCHANT_FOREIGN':
      return merchantForeign(beginningOf(refusal.merchantId, ID_LENGTH_MAX))
    default:
      return assertNever(refusal)
  }
}

/** Where a request ended. */
export type RefusalStage = 'gate' | 'parse' | 'decide'

/** How audits call the end of a request that could be read (analytics.md 3.2). */
export type FailedStage = 'request_failed' | 'score_update_failed'

/** The stage under which audits list a refusal. */
export const recordedStage = ({ infoCode, httpStatus }: DecisionProblem, failed: FailedStage): string => {
  if (infoCode !== 'INVALID_INPUT') return failed
  return httpStatus === 413 ? 'request_read_failed' : 'request_parse_failed'
}

/** What an event says of a refusal; the gate's details may quote the body, so they stay out of the log. */
export const recordedMessage = ({ errorMessage, developerMessage }: DecisionProblem, stage: RefusalStage): string =>
  stage === 'gate' ? errorMessage : developerMessage
