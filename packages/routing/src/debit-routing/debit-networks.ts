import { canonicalNetwork } from '../algorithms/networks.ts'

/** A card network that a debit payment may go over, as answers spell it (network.md 4.1). */
export type DebitNetwork = 'VISA' | 'MASTERCARD' | 'AMEX' | 'DINERS' | 'RUPAY' | 'STAR' | 'PULSE' | 'ACCEL' | 'NYCE'

/** Of the nine, those that are accepted all over the world; the others are domestic debit networks. */
const GLOBAL_NETWORKS: ReadonlySet<DebitNetwork> = new Set(['VISA', 'MASTERCARD', 'AMEX', 'DINERS', 'RUPAY'])

const BY_CANONICAL_NAME: ReadonlyMap<string, DebitNetwork> = new Map([
  ['visa', 'VISA'],
  ['mastercard', 'MASTERCARD'],
  ['americanexpress', 'AMEX'],
  ['dinersclub', 'DINERS'],
  ['rupay', 'RUPAY'],
  ['star', 'STAR'],
  ['pulse', 'PULSE'],
  ['accel', 'ACCEL'],
  ['nyce', 'NYCE'],
])

/** The network of a spelling, in any case; undefined for what is none of the nine. */
export const debitNetworkOf = (spelling: string): DebitNetwork | undefined => BY_CANONICAL_NAME.get(canonicalNetwork(spelling) ?? '')

/** Whether the network is accepted all over the world. */
export const isGlobalNetwork = (network: DebitNetwork): boolean => GLOBAL_NETWORKS.has(network)
