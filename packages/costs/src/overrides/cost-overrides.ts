import type {
  ClusterFeeOverridden,
  ClusterFeeOverrideCleared,
  ConnectorFeeOverridden,
  ConnectorFeeOverrideCleared,
} from '@switchyard/events'
import { accept, assertNever, type Decision, type MerchantNotFound, ofMerchant, reject, type Slice } from '@switchyard/kernel'
import type { Fee } from '../fit/fitted-cluster.ts'
import { CLUSTER_OVERRIDE_COUNT_MAX, CONNECTOR_OVERRIDE_COUNT_MAX } from '../limits.ts'
import type { MerchantLife } from '../merchant-life.ts'
import type { ClusterKey } from '../serving/cost-model.ts'
import { isFee } from '../serving/simulate-contract.ts'

/** Sets or clears what a connector, or a cluster of its payments, costs; `at` is epoch milliseconds. */
export type CostOverridesCommand = { readonly merchantId: string; readonly at: number } & (
  | { readonly type: 'OverrideConnectorFee'; readonly connector: string; readonly fee: Fee }
  | { readonly type: 'ClearConnectorFeeOverride'; readonly connector: string }
  | { readonly type: 'OverrideClusterFee'; readonly cluster: ClusterKey; readonly fee: Fee }
  | { readonly type: 'ClearClusterFeeOverride'; readonly cluster: ClusterKey }
)

type OverrideEvent = ConnectorFeeOverridden | ConnectorFeeOverrideCleared | ClusterFeeOverridden | ClusterFeeOverrideCleared

/** What the overrides of a merchant follow from. */
export type CostOverridesEvent = MerchantLife | OverrideEvent

type OwnRejection =
  | { readonly code: 'NOT_A_FEE'; readonly field: keyof Fee }
  | { readonly code: 'TOO_MANY_OVERRIDES'; readonly limit: number }

/** Why an override is not set. */
export type CostOverridesRejection = OwnRejection | MerchantNotFound

/** A fee that someone has set for a connector. */
export interface ConnectorOverride {
  readonly connector: string
  readonly fee: Fee
  /** Epoch milliseconds. */
  readonly updatedAt: number
}

/** The same for a cluster; its key in lower case. */
export interface StoredClusterOverride {
  readonly key: ClusterKey
  readonly fee: Fee
  /** Epoch milliseconds. */
  readonly updatedAt: number
}

/** Fees that people have set, newest last. */
export interface CostOverrides {
  readonly registered: boolean
  readonly connectors: readonly ConnectorOverride[]
  readonly clusters: readonly StoredClusterOverride[]
}

const initialState: CostOverrides = { registered: false, connectors: [], clusters: [] }

const lowerKey = (key: ClusterKey): ClusterKey => ({
  connector: key.connector.toLowerCase(),
  cardNetwork: key.cardNetwork.toLowerCase(),
  variant: key.variant.toLowerCase(),
  funding: key.funding.toLowerCase(),
  issuerCountry: key.issuerCountry.toLowerCase(),
  currency: key.currency.toLowerCase(),
  interchangeCategory: key.interchangeCategory.toLowerCase(),
})

/** Both in lower case. Field by field: each override is compared with all others, and texts of all of them would be made for it. */
const isSameCluster = (one: ClusterKey, other: ClusterKey): boolean =>
  one.interchangeCategory === other.interchangeCategory &&
  one.issuerCountry === other.issuerCountry &&
  one.variant === other.variant &&
  one.cardNetwork === other.cardNetwork &&
  one.funding === other.funding &&
  one.currency === other.currency &&
  one.connector === other.connector

type OverrideCommand = Extract<CostOverridesCommand, { readonly fee: Fee }>

const override = (command: OverrideCommand, state: CostOverrides): Decision<OverrideEvent, OwnRejection> => {
  const { merchantId, fee, at } = command
  const wrong = (['pctBps', 'fixed'] as const).find((field) => !isFee(fee[field]))
  if (wrong !== undefined) return reject({ code: 'NOT_A_FEE', field: wrong })
  if (command.type === 'OverrideConnectorFee') {
    const connector = command.connector.toLowerCase()
    const others = state.connectors.filter((known) => known.connector !== connector)
    if (others.length >= CONNECTOR_OVERRIDE_COUNT_MAX) return reject({ code: 'TOO_MANY_OVERRIDES', limit: CONNECTOR_OVERRIDE_COUNT_MAX })
    return accept({ type: 'ConnectorFeeOverridden', data: { merchantId, connector, fee, at } })
  }
  const cluster = lowerKey(command.cluster)
  const others = state.clusters.filter(({ key }) => !isSameCluster(key, cluster))
  if (others.length >= CLUSTER_OVERRIDE_COUNT_MAX) return reject({ code: 'TOO_MANY_OVERRIDES', limit: CLUSTER_OVERRIDE_COUNT_MAX })
  return accept({ type: 'ClusterFeeOverridden', data: { merchantId, cluster, fee, at } })
}

const decide = (command: CostOverridesCommand, state: CostOverrides): Decision<OverrideEvent, OwnRejection> => {
  const { type, merchantId, at } = command
  switch (type) {
    case 'OverrideConnectorFee':
    case 'OverrideClusterFee':
      return override(command, state)
    case 'ClearConnectorFeeOverride': {
      const connector = command.connector.toLowerCase()
      const isSet = state.connectors.some((known) => known.connector === connector)
      return isSet ? accept({ type: 'ConnectorFeeOverrideCleared', data: { merchantId, connector, at } }) : accept()
    }
    case 'ClearClusterFeeOverride': {
      const cluster = lowerKey(command.cluster)
      const isSet = state.clusters.some(({ key }) => isSameCluster(key, cluster))
      return isSet ? accept({ type: 'ClusterFeeOverrideCleared', data: { merchantId, cluster, at } }) : accept()
    }
    default:
      return assertNever(type)
  }
}

const evolve = (state: CostOverrides, event: OverrideEvent): CostOverrides => {
  switch (event.type) {
    case 'ConnectorFeeOverridden': {
      const { connector, fee, at: updatedAt } = event.data
      const others = state.connectors.filter((known) => known.connector !== connector)
      return { ...state, connectors: [...others, { connector, fee, updatedAt }] }
    }
    case 'ConnectorFeeOverrideCleared':
      return { ...state, connectors: state.connectors.filter(({ connector }) => connector !== event.data.connector) }
    case 'ClusterFeeOverridden': {
      const { cluster: key, fee, at: updatedAt } = event.data
      return { ...state, clusters: [...state.clusters.filter((known) => !isSameCluster(known.key, key)), { key, fee, updatedAt }] }
    }
    case 'ClusterFeeOverrideCleared':
      return { ...state, clusters: state.clusters.filter(({ key }) => !isSameCluster(key, event.data.cluster)) }
    default:
      return assertNever(event)
  }
}

/** What people say that payments cost, in place of what is learned (cost.md 12). The last word counts: overrides do not race. */
export const costOverrides: Slice<CostOverridesCommand, CostOverrides, CostOverridesEvent, CostOverridesRejection> = {
  name: 'cost-overrides',
  version: 1,
  folds: [
    'MerchantRegistered',
    'MerchantClosed',
    'ConnectorFeeOverridden',
    'ConnectorFeeOverrideCleared',
    'ClusterFeeOverridden',
    'ClusterFeeOverrideCleared',
  ],
  conflicts: 'commute',
  ...ofMerchant<CostOverridesCommand, CostOverrides, OverrideEvent, OwnRejection>({ initialState, decide, evolve }),
}
