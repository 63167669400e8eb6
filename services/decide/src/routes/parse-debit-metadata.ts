import { type CoBadgedCard, type DebitMetadata, isCountryCode } from '@switchyard/routing'
import * as z from 'zod'
import { CARD_NETWORK_COUNT_MAX, NETWORK_NAME_LENGTH_MAX, TEXT_LENGTH_MAX } from '../limits.ts'
import { maskedText } from './free-text.ts'
import { parseBody } from './parse-body.ts'

const country = z.string().refine(isCountryCode, 'expected an ISO 3166 alpha-2 code in upper case')
const networkList = z
  .array(z.string().transform((name) => maskedText(name, NETWORK_NAME_LENGTH_MAX)))
  .max(CARD_NETWORK_COUNT_MAX)
  .nullish()

/** The list has two names in use; the longer one counts when both are there (network.md 11, D1). */
const cardSchema = z
  .object({
    co_badged_card_networks: networkList,
    card_networks: networkList,
    issuer_country: country,
    is_regulated: z.boolean(),
    regulated_name: z.string().max(TEXT_LENGTH_MAX).nullish(),
    card_type: z.enum(['debit', 'credit']),
  })
  .transform((card, context): CoBadgedCard => {
    const networks = card.co_badged_card_networks ?? card.card_networks
    if (!networks) context.addIssue({ code: 'custom', path: ['co_badged_card_networks'], message: 'expected a list of networks' })
    return {
      networks: networks ?? [],
      issuerCountry: card.issuer_country,
      isRegulated: card.is_regulated,
      // A text of others may quote a card number.
      regulatedName: typeof card.regulated_name === 'string' ? maskedText(card.regulated_name, TEXT_LENGTH_MAX) : null,
      cardType: card.card_type,
      source: 'METADATA',
    }
  })

const schema = z.object({
  merchant_category_code: z.string().max(TEXT_LENGTH_MAX).nullish(),
  acquirer_country: country.nullish(),
  co_badged_card_data: cardSchema.nullish(),
})

const NO_DOCUMENT: DebitMetadata = { problem: 'missing field `paymentInfo.metadata`' }
const NO_JSON: DebitMetadata = { problem: 'paymentInfo.metadata is no JSON document' }

const documentOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Reads what a payment's metadata, a JSON document in a text, say about debit routing (network.md 3). Unknown members are ignored. */
export const parseDebitMetadata = (metadata: string | null | undefined): DebitMetadata => {
  if (!metadata) return NO_DOCUMENT
  const document = documentOf(metadata)
  if (document === undefined) return NO_JSON
  const { value, problem } = parseBody(schema, document)
  if (problem !== undefined) return { problem: `paymentInfo.metadata: ${problem}` }
  const { merchant_category_code, acquirer_country, co_badged_card_data } = value
  return {
    details: {
      merchantCategoryCode: merchant_category_code ?? null,
      acquirerCountry: acquirer_country ?? null,
      card: co_badged_card_data ?? null,
    },
  }
}
