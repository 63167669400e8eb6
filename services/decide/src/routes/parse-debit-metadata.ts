import type { CoBadgedCard, DebitDetails, DebitMetadata } from '@switchyard/routing'
import { NETWORK_NAME_LENGTH_MAX, TEXT_LENGTH_MAX } from '../limits.ts'
import { type CoBadgedCardWire, type DebitMetadataWire, debitMetadataSchema, networksIn } from './debit-metadata-wire.ts'
import { maskedText } from './free-text.ts'
import { parseBody } from './parse-body.ts'
import { isPlainDebitMetadata } from './plain-debit-metadata.ts'
import { RecentLists } from './recent-lists.ts'
import { RecentTexts } from './recent-texts.ts'

const NO_DOCUMENT: DebitMetadata = { problem: 'missing field `paymentInfo.metadata`' }
const NO_JSON: DebitMetadata = { problem: 'paymentInfo.metadata is no JSON document' }

/** What payments have in common is the same object in each, as in what else is read of them. */
const texts = new RecentTexts()
const lists = new RecentLists()

const documentOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Texts of others may quote a card number. */
const cardOf = (card: CoBadgedCardWire): CoBadgedCard => {
  const { issuer_country, is_regulated, regulated_name, card_type } = card
  return {
    networks: lists.of((networksIn(card) ?? []).map((name) => maskedText(name, NETWORK_NAME_LENGTH_MAX))),
    issuerCountry: texts.of(issuer_country),
    isRegulated: is_regulated,
    regulatedName: typeof regulated_name === 'string' ? texts.of(maskedText(regulated_name, TEXT_LENGTH_MAX)) : null,
    cardType: card_type,
    source: 'METADATA',
  }
}

const detailsOf = ({ merchant_category_code, acquirer_country, co_badged_card_data }: DebitMetadataWire): DebitDetails => ({
  merchantCategoryCode: typeof merchant_category_code === 'string' ? texts.of(merchant_category_code) : null,
  acquirerCountry: typeof acquirer_country === 'string' ? texts.of(acquirer_country) : null,
  card: co_badged_card_data ? cardOf(co_badged_card_data) : null,
})

/** Reads what a payment's metadata, a JSON document in a text, say about debit routing (network.md 3). Unknown members are ignored. */
export const parseDebitMetadata = (metadata: string | null | undefined): DebitMetadata => {
  if (!metadata) return NO_DOCUMENT
  const document = documentOf(metadata)
  if (document === undefined) return NO_JSON
  const { value, problem } = isPlainDebitMetadata(document) ? { value: document } : parseBody(debitMetadataSchema, document)
  return problem === undefined ? { details: detailsOf(value) } : { problem: `paymentInfo.metadata: ${problem}` }
}
