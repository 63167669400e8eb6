import type { NetworkRouting } from '@switchyard/routing'
import { listed, quoted, quotedOnce, writtenOnce } from './quoted.ts'

// With the marks around it, so that an answer is put together from fewer pieces.
const firstNetwork = writtenOnce((network) => `[{"network":${quotedOnce(network)},"saving_percentage":`)
const nextNetwork = writtenOnce((network) => `,{"network":${quotedOnce(network)},"saving_percentage":`)

const supportersJson = (gateways: NetworkRouting['gateways'], index: number): string => {
  const supporting = gateways?.[index]
  return supporting === undefined ? '}' : `,"supporting_gateways":${listed(supporting)}}`
}

const networksJson = ({ options, gateways }: NetworkRouting): string => {
  let networks = ''
  for (let index = 0; index < options.length; index++) {
    const option = options[index]
    if (option === undefined) continue
    networks +=
      (index === 0 ? firstNetwork(option.network) : nextNetwork(option.network)) + option.savingPercent + supportersJson(gateways, index)
  }
  return networks === '' ? '[]' : `${networks}]`
}

/** The text of `debitRoutingOutput` in ASCII. */
export const debitRoutingJson = (routing: NetworkRouting): string => {
  const { issuerCountry, isRegulated, regulatedName, cardType } = routing
  const issuer = `,"issuer_country":${quoted(issuerCountry)},"is_regulated":${isRegulated}`
  const rest = `,"regulated_name":${regulatedName === null ? 'null' : quotedOnce(regulatedName)},"card_type":"${cardType}"}`
  return `{"co_badged_card_networks_info":${networksJson(routing)}${issuer}${rest}`
}
