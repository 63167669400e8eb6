import type { EntryFacts } from '@switchyard/analytics'

type DecisionFacts = Extract<EntryFacts, { readonly kind: 'decision' }>

/** The networks of a decision by cost, and what the order follows from (network.md 12); null when there are none. */
export const networkAnswer = ({ network }: DecisionFacts): object | null =>
  network === undefined
    ? null
    : {
        networks: network.options.map(({ network: name, fee, savingPercent }) => ({
          network: name,
          fee,
          saving_percentage: savingPercent,
        })),
        skipped_networks: network.skipped,
        issuer_country: network.issuerCountry,
        acquirer_country: network.acquirerCountry,
        is_regulated: network.isRegulated,
        regulated_name: network.regulatedName,
        card_type: network.cardType,
        card_data_source: network.source.toLowerCase(),
        merchant_category_code: network.category,
        fee_table_version: network.feeTableVersion,
      }
