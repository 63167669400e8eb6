import type { NetworkRouting } from '@switchyard/routing'

/** `debit_routing_output` of an answer (network.md 7); what supports a network is told only where the deployment knows it. */
export const debitRoutingOutput = (routing: NetworkRouting | null): object | null =>
  routing === null
    ? null
    : {
        co_badged_card_networks_info: routing.options.map(({ network, savingPercent }, index) => ({
          network,
          saving_percentage: savingPercent,
          ...(routing.gateways !== null && { supporting_gateways: routing.gateways[index] }),
        })),
        issuer_country: routing.issuerCountry,
        is_regulated: routing.isRegulated,
        regulated_name: routing.regulatedName,
        card_type: routing.cardType,
      }
