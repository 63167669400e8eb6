import { type Catalogue, createCatalogue, type RoutingKey, type TextBounds } from './catalogue.ts'
import { COUNTRY_NAMES } from './countries.ts'

const noBounds: TextBounds = { minLength: null, maxLength: null, exactLength: null, regex: null }
const amount: RoutingKey = { type: 'integer', minValue: 0, maxValue: 1_000_000 }
const values = (text: string): RoutingKey => ({ type: 'enum', values: text.split(' ') })

/** A small vocabulary for tests: a key of every kind, and those that payments have. */
export const sampleCatalogue: Catalogue = createCatalogue([
  ['amount', amount],
  ['business_label', { type: 'text', ...noBounds, minLength: 2, maxLength: 5 }],
  ['card_bin', { type: 'text', ...noBounds, exactLength: 6, regex: '^[0-9]{6}$' }],
  ['extended_card_bin', { type: 'text', ...noBounds, exactLength: 8, regex: '^[0-9]{8}$' }],
  ['metadata', { type: 'metadata', ...noBounds, maxLength: 20 }],
  ['named', { type: 'globalRef' }],
  ['authentication_type', values('three_ds no_three_ds')],
  ['billing_country', { type: 'enum', values: COUNTRY_NAMES }],
  ['capture_method', values('automatic manual')],
  ['card', values('debit credit')],
  ['card_type', values('debit credit')],
  ['card_network', values('visa Visa visaCard mastercard Master_Card amex AMEX carnet')],
  ['currency', values('EUR INR SEK USD')],
  ['payment_method', values('card upi wallet')],
  ['payment_method_type', values('credit debit ideal paypal')],
  ['upi', values('upi_collect upi_qr')],
  ['wallet', values('apple_pay paypal')],
])
