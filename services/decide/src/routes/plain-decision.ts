import { CANDIDATE_COUNT_MAX } from '@switchyard/routing'
import { DOCUMENT_LENGTH_MAX, TEXT_LENGTH_MAX, UDF_COUNT_MAX } from '../limits.ts'
import {
  AUTH_TYPES,
  CARD_TYPES,
  type DecisionWire,
  isCountry,
  isCurrency,
  PAYMENT_TYPES,
  type PaymentWire,
  RANKING_ALGORITHMS,
} from './decision-wire.ts'
import {
  isFlagOrNone,
  isId,
  isIdOrNone,
  isListOrNone,
  isName,
  isNullish,
  isObject,
  isOneOf,
  isTextOf,
  isTextOrNone,
  type Members,
  remembering,
} from './plain-values.ts'

const INT32_MIN = -(2 ** 31)
const INT32_MAX = 2 ** 31 - 1

const isPaymentType = isOneOf(PAYMENT_TYPES)
const isAuthType = isOneOf(AUTH_TYPES)
const isCardType = isOneOf(CARD_TYPES)
const isRankingAlgorithm = isOneOf(RANKING_ALGORITHMS)
const isKnownCurrency = remembering((value) => typeof value === 'string' && isCurrency(value))
const isKnownCountry = remembering((value) => typeof value === 'string' && isCountry(value))

const isDocumentOrNone = (value: unknown): boolean => isNullish(value) || isTextOf(value, DOCUMENT_LENGTH_MAX)
const isInt32 = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= INT32_MIN && Number(value) <= INT32_MAX

const isUdf = (value: unknown): boolean => value === null || isTextOf(value, TEXT_LENGTH_MAX)

type Info = Members<PaymentWire>

const isPlainMoney = ({ paymentId, amount, currency, country }: Info): boolean =>
  isId(paymentId) && Number.isFinite(amount) && isKnownCurrency(currency) && (isNullish(country) || isKnownCountry(country))

const isPlainMethod = (info: Info): boolean =>
  isPaymentType(info.paymentType) &&
  isId(info.paymentMethodType) &&
  isId(info.paymentMethod) &&
  (isNullish(info.authType) || isAuthType(info.authType)) &&
  (isNullish(info.cardType) || isCardType(info.cardType)) &&
  isIdOrNone(info.cardSwitchProvider) &&
  isIdOrNone(info.cardIsin) &&
  isIdOrNone(info.preferredGateway)

// Each member by its name: looked up by a list of names, they took as long as all the others.
const isPlainDocuments = ({ metadata, internalMetadata, paymentSource }: Info): boolean =>
  isDocumentOrNone(metadata) && isDocumentOrNone(internalMetadata) && isDocumentOrNone(paymentSource)

const isPlainTexts = (info: Info): boolean =>
  isTextOrNone(info.customerId) &&
  isTextOrNone(info.emiBank) &&
  isTextOrNone(info.cardIssuerBankName) &&
  isTextOrNone(info.cardProgram) &&
  isTextOrNone(info.cardIssuerCountry) &&
  isTextOrNone(info.channel)

const isPlainRest = (info: Info): boolean =>
  isListOrNone(info.udfs, UDF_COUNT_MAX, isUdf) &&
  isFlagOrNone(info.isEmi) &&
  (isNullish(info.emiTenure) || isInt32(info.emiTenure)) &&
  isPlainDocuments(info) &&
  isPlainTexts(info)

const isPlainPayment = (info: Info): boolean => isPlainMoney(info) && isPlainMethod(info) && isPlainRest(info)

/**
 * Whether the schema accepts a body, told in a tenth of the schema's time. What is refused here is left to the schema, which
 * names the member that is wrong; a property test holds the two to each other.
 */
export const isPlainDecision = (body: unknown): body is DecisionWire => {
  if (!isObject(body)) return false
  const {
    merchantId,
    eligibleGatewayList,
    rankingAlgorithm,
    eliminationEnabled,
    enableMultiObjective,
    paymentInfo,
  }: Members<DecisionWire> = body
  return (
    isId(merchantId) &&
    isListOrNone(eligibleGatewayList, CANDIDATE_COUNT_MAX, isName) &&
    (isNullish(rankingAlgorithm) || isRankingAlgorithm(rankingAlgorithm)) &&
    isFlagOrNone(eliminationEnabled) &&
    isFlagOrNone(enableMultiObjective) &&
    isObject(paymentInfo) &&
    isPlainPayment(paymentInfo)
  )
}
