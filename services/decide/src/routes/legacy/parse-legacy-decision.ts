import { ID_LENGTH_MAX } from '@switchyard/kernel'
import { CANDIDATE_COUNT_MAX } from '@switchyard/routing'
import * as z from 'zod'
import { TEXT_LENGTH_MAX, UDF_COUNT_MAX } from '../../limits.ts'
import { AUTH_TYPES, CARD_TYPES, isCurrency, PAYMENT_TYPES } from '../decision-wire.ts'
import { type ParsedBody, parseBody } from '../parse-body.ts'

/** What a decision request of the older interface says. */
export interface LegacyDecision {
  readonly merchantId: string
  /** The body of `POST /decide-gateway` that asks the same. */
  readonly decision: object
  /** Whether the caller will act on the answer. */
  readonly isConsumed: boolean
}

const id = z.string().max(ID_LENGTH_MAX)
const text = z.string().max(TEXT_LENGTH_MAX)
const number = z.number().nullish()
/** Must be there, null is fine. */
const partitionKey = z.union([text, z.number(), z.null()])

const transaction = z.object({
  txnUuid: id,
  merchantId: id.nullish(),
  currency: text.nullish(),
  txnObjectType: text.nullish(),
  type: text.nullish(),
  netAmount: number,
  txnAmount: number,
  partitionKey,
})

const card = z.object({
  paymentMethodType: id,
  paymentMethod: id,
  cardType: text.nullish(),
  cardSwitchProvider: id.nullish(),
  cardIsin: id.nullish(),
  authType: text.nullish(),
  partitionKey,
})

const isGiven = (value: unknown): boolean => value !== null && value !== undefined

/** The members that a decision needs of the five objects: all that it would refuse is refused here, by the names of this interface. */
const schema = z
  .object({
    orderReference: z.object({
      udfs: z.array(text.nullable()).max(UDF_COUNT_MAX),
      amount: number,
      currency: text.nullish(),
      preferredGateway: id.nullish(),
    }),
    orderMetadata: z.object({ partitionKey }),
    txnDetail: transaction,
    txnCardInfo: card,
    merchantAccount: z.object({ merchantId: id, gatewaySuccessRateBasedDeciderInput: z.string() }),
    enforceGatewayList: z.array(id.min(1)).max(CANDIDATE_COUNT_MAX).nullish(),
    shouldConsumeResult: z.boolean().nullish(),
  })
  .superRefine(({ txnDetail, orderReference }, context) => {
    if (isCurrency(txnDetail.currency ?? orderReference.currency ?? '')) return
    // The one that counts; where there is none, that of the transaction is missing.
    const isOfOrder = !isGiven(txnDetail.currency) && isGiven(orderReference.currency)
    const path = [isOfOrder ? 'orderReference' : 'txnDetail', 'currency']
    context.addIssue({ code: 'custom', path, message: 'expected an ISO 4217 code' })
  })

type Wire = z.output<typeof schema>

/** What {@link parseLegacyDecision} reads, for the API's description. */
export const legacyDecisionSchema: z.ZodType = schema

const PAYMENT_TYPE_DEFAULT = 'ORDER_PAYMENT'

/** The texts of the older interface are free: what is none of ours is left out. */
const known = (texts: readonly string[], text: string | null | undefined): string | null =>
  text !== null && text !== undefined && texts.includes(text) ? text : null

const paymentTypeOf = ({ txnDetail }: Wire): string =>
  known(PAYMENT_TYPES, txnDetail.txnObjectType) ?? known(PAYMENT_TYPES, txnDetail.type) ?? PAYMENT_TYPE_DEFAULT

/** The body of `POST /decide-gateway` that asks the same. No ranking is named, so the merchant's priority list counts. */
const decisionBodyOf = (legacy: Wire): object => {
  const { orderReference, txnDetail, txnCardInfo, merchantAccount, enforceGatewayList } = legacy
  return {
    merchantId: merchantAccount.merchantId,
    eligibleGatewayList: enforceGatewayList,
    paymentInfo: {
      paymentId: txnDetail.txnUuid,
      amount: txnDetail.netAmount ?? txnDetail.txnAmount ?? orderReference.amount ?? 0,
      currency: txnDetail.currency ?? orderReference.currency,
      paymentType: paymentTypeOf(legacy),
      paymentMethodType: txnCardInfo.paymentMethodType,
      paymentMethod: txnCardInfo.paymentMethod,
      cardType: known(CARD_TYPES, txnCardInfo.cardType),
      cardSwitchProvider: txnCardInfo.cardSwitchProvider,
      cardIsin: txnCardInfo.cardIsin,
      authType: known(AUTH_TYPES, txnCardInfo.authType),
      preferredGateway: orderReference.preferredGateway,
      udfs: orderReference.udfs,
    },
  }
}

/** Reads a decision request of the older interface (decide.md 13.1). */
export const parseLegacyDecision = (body: unknown): ParsedBody<LegacyDecision> => {
  const { value, problem } = parseBody(schema, body)
  if (problem !== undefined) return { problem }
  const { merchantAccount, shouldConsumeResult } = value
  return { value: { merchantId: merchantAccount.merchantId, decision: decisionBodyOf(value), isConsumed: shouldConsumeResult ?? true } }
}
