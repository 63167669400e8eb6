import type { ParameterValue } from './algorithm.ts'
import type { Catalogue } from './catalogue.ts'
import { countryNameOf } from './countries.ts'
import type { Parameters } from './parameters.ts'

/** What is known of a payment when it is decided; values as they were sent, null for what is absent. */
export interface PaymentAttributes {
  readonly paymentMethodType: string
  readonly paymentMethod: string
  readonly currency: string
  readonly amount: number
  readonly cardType: string | null
  readonly cardNetwork: string | null
  /** First digits of the card number. */
  readonly cardIsIn: string | null
  /** ISO 3166 alpha-2 code. */
  readonly country: string | null
  readonly authType: string | null
}

const BIN_DIGITS = 6
const EXTENDED_BIN_DIGITS = 8
const AUTHENTICATION_TYPES: ReadonlyMap<string, string> = new Map([
  ['THREE_DS', 'three_ds'],
  ['THREE_DS_2', 'three_ds'],
  ['3DS', 'three_ds'],
  ['NO_THREE_DS', 'no_three_ds'],
  ['NO_3DS', 'no_three_ds'],
])
const FUNDING_TYPES: readonly string[] = ['debit', 'credit']

const fundingOf = ({ paymentMethodType, paymentMethod, cardType }: PaymentAttributes): string | undefined => {
  if (cardType !== null) return cardType.toLowerCase()
  const method = paymentMethod.toLowerCase()
  return paymentMethodType.toUpperCase() === 'CARD' && FUNDING_TYPES.includes(method) ? method : undefined
}

const LEADING_DIGITS = /^[0-9]*/

/** The first digits; undefined when there are fewer. */
const leadingDigits = (text: string, count: number): string | undefined => (text.length < count ? undefined : text.slice(0, count))

/**
 * A payment as rule parameters: the service's own words for what its decision request says in upper case. Values that are
 * not in the catalogue are left out, so that conditions on them are false.
 */
export const paymentParameters = ({ canonicalValue }: Catalogue, payment: PaymentAttributes): Parameters => {
  const parameters = new Map<string, ParameterValue>()
  const addEnum = (key: string, sent: string | undefined): void => {
    const value = sent === undefined ? undefined : canonicalValue(key, sent)
    if (value !== undefined) parameters.set(key, { type: 'enumVariant', value })
  }
  const addText = (key: string, value: string | undefined): void => {
    if (value !== undefined) parameters.set(key, { type: 'text', value })
  }
  const funding = fundingOf(payment)
  const method = canonicalValue('payment_method', payment.paymentMethodType.toLowerCase())
  const methodType = payment.paymentMethod.toLowerCase()
  addEnum('payment_method', method)
  addEnum('payment_method_type', methodType)
  addEnum('card_type', funding)
  addEnum('card', funding)
  // Methods have keys of their own; that of cards is about the card, whatever the method says.
  if (method !== undefined && method !== 'card') addEnum(method, methodType)
  addEnum('currency', payment.currency)
  addEnum('card_network', payment.cardNetwork ?? undefined)
  addEnum('billing_country', payment.country === null ? undefined : countryNameOf(payment.country))
  addEnum('authentication_type', payment.authType === null ? undefined : AUTHENTICATION_TYPES.get(payment.authType.toUpperCase()))
  if (Number.isFinite(payment.amount)) parameters.set('amount', { type: 'number', value: payment.amount })
  const [digits = ''] = LEADING_DIGITS.exec(payment.cardIsIn ?? '') ?? []
  addText('card_bin', leadingDigits(digits, BIN_DIGITS))
  addText('extended_card_bin', leadingDigits(digits, EXTENDED_BIN_DIGITS))
  return parameters
}
