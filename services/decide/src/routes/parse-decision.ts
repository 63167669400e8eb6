import type { RankingAlgorithm } from '@switchyard/events'
import { ID_LENGTH_MAX } from '@switchyard/kernel'
import { CANDIDATE_COUNT_MAX, CARD_ISIN_LENGTH_MAX, countryNameOf, type PaymentDetails } from '@switchyard/routing'
import { z } from 'zod'
import { DOCUMENT_LENGTH_MAX, TEXT_LENGTH_MAX, UDF_COUNT_MAX } from '../limits.ts'
import { CURRENCIES } from './currencies.ts'
import { type ParsedBody, parseBody } from './parse-body.ts'

/** What the body of a decision request says. */
export interface DecisionBody {
  readonly merchantId: string
  readonly rankingAlgorithm: RankingAlgorithm | null
  readonly candidates: readonly string[]
  readonly eliminationRequested: boolean | null
  readonly multiObjectiveRequested: boolean | null
  readonly payment: PaymentDetails
}

const PAYMENT_TYPES = [
  'ORDER_PAYMENT',
  'MANDATE_REGISTER',
  'EMANDATE_REGISTER',
  'MANDATE_PAYMENT',
  'EMANDATE_PAYMENT',
  'TPV_PAYMENT',
  'TPV_EMANDATE_REGISTER',
  'TPV_MANDATE_REGISTER',
  'TPV_EMANDATE_PAYMENT',
  'TPV_MANDATE_PAYMENT',
  'PARTIAL_CAPTURE',
  'PARTIAL_VOID',
  'VAN_PAYMENT',
  'MOTO_PAYMENT',
  'UNKNOWN',
] as const

/** Both spellings of 3-D Secure 2 mean the same; the second is the one that is kept. */
const AUTH_TYPES = [
  'ATMPIN',
  'THREE_DS',
  'THREE_DS2',
  'THREE_DS_2',
  'OTP',
  'OBO_OTP',
  'VIES',
  'NO_THREE_DS',
  'NETWORK_TOKEN',
  'MOTO',
  'FIDO',
  'CTP',
] as const

const CARD_TYPES = [
  'AADHAAR',
  'ATM_CARD',
  'CASH',
  'CREDIT',
  'DEBIT',
  'NB',
  'PAYLATER',
  'PREPAID',
  'REWARD',
  'UPI',
  'WALLET',
  'VIRTUAL_ACCOUNT',
  'OTC',
  'RTP',
  'CRYPTO',
  'BLANK',
  'PAN',
] as const

const RANKING_ALGORITHMS = ['SR_BASED_ROUTING', 'PL_BASED_ROUTING', 'NTW_BASED_ROUTING', 'NTW_SR_HYBRID_ROUTING'] as const

/** Accepted beside the ISO 3166 codes. */
const UNKNOWN_COUNTRY = 'QZ'
const isCountry = (code: string): boolean => /^[A-Z]{2}$/.test(code) && (code === UNKNOWN_COUNTRY || countryNameOf(code) !== undefined)
const isCurrency = (code: string): boolean => CURRENCIES.has(code)

const id = z.string().max(ID_LENGTH_MAX)
const gatewayName = id.min(1)
const text = z.string().max(TEXT_LENGTH_MAX)
const document = z.string().max(DOCUMENT_LENGTH_MAX)

const paymentSchema = z.object({
  paymentId: id,
  amount: z.number(),
  currency: z.string().refine(isCurrency, 'expected an ISO 4217 code'),
  country: z.string().refine(isCountry, 'expected an ISO 3166 alpha-2 code').nullish(),
  customerId: text.nullish(),
  udfs: z.array(text.nullable()).max(UDF_COUNT_MAX).nullish(),
  preferredGateway: id.nullish(),
  paymentType: z.enum(PAYMENT_TYPES),
  metadata: document.nullish(),
  internalMetadata: document.nullish(),
  isEmi: z.boolean().nullish(),
  emiBank: text.nullish(),
  emiTenure: z.int32().nullish(),
  paymentMethodType: id,
  paymentMethod: id,
  paymentSource: document.nullish(),
  authType: z.enum(AUTH_TYPES).nullish(),
  cardIssuerBankName: text.nullish(),
  cardIsin: id.nullish(),
  cardType: z.enum(CARD_TYPES).nullish(),
  cardSwitchProvider: id.nullish(),
  cardProgram: text.nullish(),
  cardIssuerCountry: text.nullish(),
  channel: text.nullish(),
})

const decisionSchema = z.object({
  merchantId: id,
  eligibleGatewayList: z.array(gatewayName).max(CANDIDATE_COUNT_MAX).nullish(),
  rankingAlgorithm: z.enum(RANKING_ALGORITHMS).nullish(),
  eliminationEnabled: z.boolean().nullish(),
  enableMultiObjective: z.boolean().nullish(),
  paymentInfo: paymentSchema,
})

const paymentOf = (info: z.output<typeof paymentSchema>): PaymentDetails => ({
  paymentId: info.paymentId,
  amount: info.amount,
  currency: info.currency,
  country: info.country ?? null,
  paymentType: info.paymentType,
  paymentMethodType: info.paymentMethodType,
  paymentMethod: info.paymentMethod,
  cardType: info.cardType ?? null,
  cardNetwork: info.cardSwitchProvider ?? null,
  cardIsIn: info.cardIsin?.slice(0, CARD_ISIN_LENGTH_MAX) ?? null,
  authType: info.authType === 'THREE_DS2' ? 'THREE_DS_2' : (info.authType ?? null),
  preferredGateway: info.preferredGateway ?? null,
})

/** Reads a decision request (decide.md 2.1 and 2.2). Unknown members are ignored; of a card number only the first digits stay. */
export const parseDecision = (body: unknown): ParsedBody<DecisionBody> => {
  const { value, problem } = parseBody(decisionSchema, body)
  if (problem !== undefined) return { problem }
  return {
    value: {
      merchantId: value.merchantId,
      rankingAlgorithm: value.rankingAlgorithm ?? null,
      candidates: value.eligibleGatewayList ?? [],
      eliminationRequested: value.eliminationEnabled ?? null,
      multiObjectiveRequested: value.enableMultiObjective ?? null,
      payment: paymentOf(value.paymentInfo),
    },
  }
}
