import type { DebitNetwork } from './debit-networks.ts'
import type { NetworkFeeTable } from './network-fees.ts'

/** Which networks the candidates of a payment support. */
export interface SupportedNetworks {
  /** Whether any candidate supports it. */
  readonly has: (network: DebitNetwork) => boolean
  /** The candidates that support it; undefined when the deployment does not say what connectors support. */
  readonly gatewaysOf?: (network: DebitNetwork) => readonly string[]
}

const ALL: SupportedNetworks = { has: () => true }

/** A candidate may be `name:account`, in any case. */
const connectorOf = (gateway: string): string => (gateway.split(':', 1)[0] ?? gateway).toLowerCase()

/** What the deployment says about these candidates (network.md 9). */
export const supportOf = ({ connectorNetworks }: NetworkFeeTable, candidates: readonly string[]): SupportedNetworks => {
  if (connectorNetworks.size === 0) return ALL
  const gateways = [...new Set(candidates)]
  const gatewaysOf = (network: DebitNetwork): readonly string[] =>
    gateways.filter((gateway) => connectorNetworks.get(connectorOf(gateway))?.has(network) ?? true)
  return { has: (network) => gatewaysOf(network).length > 0, gatewaysOf }
}
