import { isCountryCode } from '@switchyard/routing'
import { CARD_NETWORK_COUNT_MAX } from '../limits.ts'
import { type CoBadgedCardWire, DEBIT_CARD_TYPES, type DebitMetadataWire } from './debit-metadata-wire.ts'
import { isListOrNone, isNullish, isObject, isOneOf, isText, isTextOrNone, type Members, remembering } from './plain-values.ts'

const isCountry = (value: unknown): boolean => isText(value) && isCountryCode(value)
const isIssuerCountry = remembering(isCountry)
const isAcquirerCountry = remembering(isCountry)
const isCardType = isOneOf(DEBIT_CARD_TYPES)

const isPlainCard = (sent: unknown): boolean => {
  if (!isObject(sent)) return false
  const { co_badged_card_networks, card_networks, issuer_country, is_regulated, regulated_name, card_type }: Members<CoBadgedCardWire> =
    sent
  return (
    !(isNullish(co_badged_card_networks) && isNullish(card_networks)) &&
    isListOrNone(co_badged_card_networks, CARD_NETWORK_COUNT_MAX, isText) &&
    isListOrNone(card_networks, CARD_NETWORK_COUNT_MAX, isText) &&
    isIssuerCountry(issuer_country) &&
    typeof is_regulated === 'boolean' &&
    isTextOrNone(regulated_name) &&
    isCardType(card_type)
  )
}

/**
 * Whether the schema accepts a document, told in a tenth of the schema's time. What is refused here is left to the schema, which
 * names the member that is wrong; a property test holds the two to each other.
 */
export const isPlainDebitMetadata = (document: unknown): document is DebitMetadataWire => {
  if (!isObject(document)) return false
  const { merchant_category_code, acquirer_country, co_badged_card_data }: Members<DebitMetadataWire> = document
  return (
    isTextOrNone(merchant_category_code) &&
    (isNullish(acquirer_country) || isAcquirerCountry(acquirer_country)) &&
    (isNullish(co_badged_card_data) || isPlainCard(co_badged_card_data))
  )
}
