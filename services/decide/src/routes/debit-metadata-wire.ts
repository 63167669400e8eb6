import { isCountryCode } from '@switchyard/routing'
import * as z from 'zod'
import { CARD_NETWORK_COUNT_MAX, TEXT_LENGTH_MAX } from '../limits.ts'

export const DEBIT_CARD_TYPES = ['debit', 'credit'] as const

type Optional<Value> = Value | null | undefined

/** The card of a payment's metadata as it is sent (network.md 3); its list has two names in use. */
export interface CoBadgedCardWire {
  readonly co_badged_card_networks?: Optional<readonly string[]>
  readonly card_networks?: Optional<readonly string[]>
  readonly issuer_country: string
  readonly is_regulated: boolean
  readonly regulated_name?: Optional<string>
  readonly card_type: (typeof DEBIT_CARD_TYPES)[number]
}

/** What a payment's metadata say about debit routing, as it is sent (network.md 3). */
export interface DebitMetadataWire {
  readonly merchant_category_code?: Optional<string>
  readonly acquirer_country?: Optional<string>
  readonly co_badged_card_data?: Optional<CoBadgedCardWire>
}

/** The list of the card under either name; the longer one counts when both are there (network.md 11, D1). */
export const networksIn = (card: Pick<CoBadgedCardWire, 'co_badged_card_networks' | 'card_networks'>): Optional<readonly string[]> =>
  card.co_badged_card_networks ?? card.card_networks

const text = z.string().max(TEXT_LENGTH_MAX)
const country = z.string().refine(isCountryCode, 'expected an ISO 3166 alpha-2 code in upper case')
const networkList = z.array(z.string()).max(CARD_NETWORK_COUNT_MAX).nullish()

const cardSchema = z
  .object({
    co_badged_card_networks: networkList,
    card_networks: networkList,
    issuer_country: country,
    is_regulated: z.boolean(),
    regulated_name: text.nullish(),
    card_type: z.enum(DEBIT_CARD_TYPES),
  })
  .refine((card) => Array.isArray(networksIn(card)), { path: ['co_badged_card_networks'], error: 'expected a list of networks' })

export const debitMetadataSchema: z.ZodType<DebitMetadataWire> = z.object({
  merchant_category_code: text.nullish(),
  acquirer_country: country.nullish(),
  co_badged_card_data: cardSchema.nullish(),
})
