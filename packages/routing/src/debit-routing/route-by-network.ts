import { beginningOf } from '@switchyard/kernel'
import type { DecisionRequest } from '../decide/request.ts'
import type { DebitDefaults } from '../scoring-settings/debit-routing-defaults.ts'
import type { BinTable } from './bin-table.ts'
import { cheapestFirst, type NetworkOption, type PricedNetwork } from './cheapest-first.ts'
import type { CoBadgedCard, DebitDetails, FoundCard } from './co-badged-card.ts'
import { debitNetworkOf } from './debit-networks.ts'
import { type NetworkFeeTable, networkFeeOf, type PricedPayment, pricedCategory } from './network-fees.ts'
import { type SupportedNetworks, supportOf } from './supported-networks.ts'

/** The networks of a payment by cost, and all that the order follows from. */
export interface NetworkRouting extends Pick<CoBadgedCard, 'issuerCountry' | 'isRegulated' | 'regulatedName' | 'cardType' | 'source'> {
  /** Cheapest first. */
  readonly options: readonly NetworkOption[]
  /** Networks of the card that have no say: unknown, unpriced, or supported by no candidate; as they came. */
  readonly skipped: readonly string[]
  /** ISO 3166 alpha-2 code. */
  readonly acquirerCountry: string
  /** Category of the fee table that priced the payment. */
  readonly category: string
  readonly feeTableVersion: string
  /** Candidates that support each option, in the order of the options; null when the deployment does not say what connectors support. */
  readonly gateways: readonly (readonly string[])[] | null
}

/** The networks of a payment, or why there are none, for people. */
export type NetworkResult =
  | { readonly routing: NetworkRouting; readonly problem?: never }
  | { readonly routing?: never; readonly problem: string }

/** Orders the networks of a payment by cost. */
export type RouteByNetwork = (request: DecisionRequest) => NetworkResult

/** What networks are ordered by. */
export interface NetworkSources {
  readonly fees: NetworkFeeTable
  readonly binTable: Pick<BinTable, 'cardOf'>
  /** What the merchant's payments leave open; null when the merchant does not say it either. */
  readonly defaultsOf: (merchantId: string) => DebitDefaults | null
}

const NO_METADATA: NetworkResult = { problem: 'metadata: expected a JSON document in a text' }
const NO_CATEGORY: NetworkResult = { problem: 'metadata: missing field `merchant_category_code`, and the merchant has no default' }
const NO_ACQUIRER: NetworkResult = { problem: 'metadata: missing field `acquirer_country`, and the merchant has no default' }
const NO_BIN: FoundCard = { problem: 'neither metadata.co_badged_card_data nor cardIsin tells the networks of the card' }

/** Length in characters to which the names in a problem are cut. */
const NAMES_LENGTH_MAX = 200

const noneUsable = (skipped: readonly string[]): string =>
  skipped.length === 0
    ? 'the list of the card names no network'
    : `no network of the card is known, priced and supported: ${beginningOf(skipped.join(', '), NAMES_LENGTH_MAX)}`

interface Usable {
  readonly priced: readonly PricedNetwork[]
  readonly skipped: readonly string[]
}

/** Known, priced and supported, in the order of the card. */
const usableOf = (fees: NetworkFeeTable, { networks }: CoBadgedCard, payment: PricedPayment, supported: SupportedNetworks): Usable => {
  const priced: PricedNetwork[] = []
  const skipped: string[] = []
  for (const name of networks) {
    const network = debitNetworkOf(name)
    const fee = network && supported.has(network) ? networkFeeOf(fees, network, payment) : undefined
    if (network === undefined || fee === undefined) skipped.push(name)
    else priced.push({ network, fee })
  }
  return { priced, skipped }
}

const withoutSavings = (options: readonly NetworkOption[]): readonly NetworkOption[] =>
  options.map((option) => ({ ...option, savingPercent: 0 }))

const supportersOf = ({ gatewaysOf }: SupportedNetworks, options: readonly NetworkOption[]): NetworkRouting['gateways'] =>
  gatewaysOf === undefined ? null : options.map(({ network }) => gatewaysOf(network))

/** Orders networks by what the payment costs over them (network.md 3 to 6). A pure function of request and sources. */
export const createRouteByNetwork = ({ fees, binTable, defaultsOf }: NetworkSources): RouteByNetwork => {
  const price = (card: CoBadgedCard, payment: PricedPayment, acquirerCountry: string, request: DecisionRequest): NetworkResult => {
    const supported = supportOf(fees, request.candidates)
    const { priced, skipped } = usableOf(fees, card, payment, supported)
    if (priced.length === 0) return { problem: noneUsable(skipped) }
    const options = cheapestFirst(priced, payment.amount)
    const { issuerCountry, isRegulated, regulatedName, cardType, source } = card
    const isDomestic = fees.crossBorderSavings || issuerCountry === acquirerCountry
    return {
      routing: {
        options: isDomestic ? options : withoutSavings(options),
        skipped,
        issuerCountry,
        isRegulated,
        regulatedName,
        cardType,
        source,
        acquirerCountry,
        category: payment.category,
        feeTableVersion: fees.version,
        gateways: supportersOf(supported, options),
      },
    }
  }

  const cardOf = ({ card }: DebitDetails, cardIsIn: string | null): FoundCard => {
    if (card !== null) return { card }
    return cardIsIn === null ? NO_BIN : binTable.cardOf(cardIsIn)
  }

  const route = (details: DebitDetails, request: DecisionRequest): NetworkResult => {
    const defaults = defaultsOf(request.merchantId)
    const category = details.merchantCategoryCode ?? defaults?.merchantCategoryCode
    const acquirerCountry = details.acquirerCountry ?? defaults?.acquirerCountry
    if (category === undefined) return NO_CATEGORY
    if (acquirerCountry === undefined) return NO_ACQUIRER
    const { amount, cardIsIn } = request.payment
    const { card, problem } = cardOf(details, cardIsIn)
    if (card === undefined) return { problem }
    const { isRegulated, regulatedName } = card
    return price(card, { amount, category: pricedCategory(fees, category), isRegulated, regulatedName }, acquirerCountry, request)
  }

  return (request) => {
    if (request.debit === null) return NO_METADATA
    const { details, problem } = request.debit
    return details === undefined ? { problem } : route(details, request)
  }
}
