import { ID_LENGTH_MAX } from '@switchyard/kernel'
import { CANDIDATE_COUNT_MAX, isCountryCode } from '@switchyard/routing'
import * as z from 'zod'
import { DOCUMENT_LENGTH_MAX, TEXT_LENGTH_MAX, UDF_COUNT_MAX } from '../limits.ts'
import { CURRENCIES } from './currencies.ts'

export const PAYMENT_TYPES = [
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
export const AUTH_TYPES = [
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

export const CARD_TYPES = [
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

export const RANKING_ALGORITHMS = ['SR_BASED_ROUTING', 'PL_BASED_ROUTING', 'NTW_BASED_ROUTING', 'NTW_SR_HYBRID_ROUTING'] as const

/** Accepted beside the ISO 3166 codes. */
const UNKNOWN_COUNTRY = 'QZ'
export const isCountry = (code: string): boolean => code === UNKNOWN_COUNTRY || isCountryCode(code)
export const isCurrency = (code: string): boolean => CURRENCIES.has(code)

type Optional<Value> = Value | null | undefined

/** The payment of a decision request as it is sent (decide.md 2.2). */
export interface PaymentWire {
  readonly paymentId: string
  readonly amount: number
  readonly currency: string
  readonly country?: Optional<string>
  readonly customerId?: Optional<string>
  readonly udfs?: Optional<readonly (string | null)[]>
  readonly preferredGateway?: Optional<string>
  readonly paymentType: (typeof PAYMENT_TYPES)[number]
  readonly metadata?: Optional<string>
  readonly internalMetadata?: Optional<string>
  readonly isEmi?: Optional<boolean>
  readonly emiBank?: Optional<string>
  readonly emiTenure?: Optional<number>
  readonly paymentMethodType: string
  readonly paymentMethod: string
  readonly paymentSource?: Optional<string>
  readonly authType?: Optional<(typeof AUTH_TYPES)[number]>
  readonly cardIssuerBankName?: Optional<string>
  readonly cardIsin?: Optional<string>
  readonly cardType?: Optional<(typeof CARD_TYPES)[number]>
  readonly cardSwitchProvider?: Optional<string>
  readonly cardProgram?: Optional<string>
  readonly cardIssuerCountry?: Optional<string>
  readonly channel?: Optional<string>
}

/** A decision request as it is sent (decide.md 2.1). */
export interface DecisionWire {
  readonly merchantId: string
  readonly eligibleGatewayList?: Optional<readonly string[]>
  readonly rankingAlgorithm?: Optional<(typeof RANKING_ALGORITHMS)[number]>
  readonly eliminationEnabled?: Optional<boolean>
  readonly enableMultiObjective?: Optional<boolean>
  readonly paymentInfo: PaymentWire
}

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

export const decisionSchema: z.ZodType<DecisionWire> = z.object({
  merchantId: id,
  eligibleGatewayList: z.array(gatewayName).max(CANDIDATE_COUNT_MAX).nullish(),
  rankingAlgorithm: z.enum(RANKING_ALGORITHMS).nullish(),
  eliminationEnabled: z.boolean().nullish(),
  enableMultiObjective: z.boolean().nullish(),
  paymentInfo: paymentSchema,
})
