import { merchants } from '@switchyard/access'
import {
  type AccountAddOn,
  type AccountDirectory,
  type ConnectorFee,
  connectorFee,
  costOverrides,
  type Fee,
  invoiceAddOns,
  servedAddOn,
} from '@switchyard/costs'
import type { Parts } from '../parts.ts'
import type { KnownFit } from './known-fits.ts'

/** What a connector costs, and what is known of it. */
export interface ShownConnector extends ConnectorFee {
  readonly connector: string
  /** The first that has credentials, else the first that was fitted; empty without either. */
  readonly account: string
  readonly hasCredentials: boolean
  readonly override: Fee | null
  /** Epoch milliseconds; null without an override. */
  readonly overriddenAt: number | null
}

const goodGross = ({ clusters }: KnownFit, currency: string): number =>
  clusters
    .filter(({ verdict, fee, cluster }) => verdict === 'GOOD' && fee !== null && cluster.currency.toUpperCase() === currency)
    .reduce((sum, { gross }) => sum + gross, 0)

/** What invoices add to the fee that is shown: their mean by the value that it was learned from, fixed parts in its currency only. */
const additionTo = (fits: readonly KnownFit[], addOns: readonly AccountAddOn[], currency: string): Fee | null => {
  const sums = { pctBps: 0, fixed: 0, gross: 0 }
  for (const fit of fits) {
    const gross = goodGross(fit, currency)
    const { connector, account } = fit.head
    const addOn = servedAddOn({ addOns }, { connector, account, clusters: fit.clusters.map(({ cluster }) => cluster) })
    sums.gross += gross
    sums.pctBps += (addOn?.pctBps ?? 0) * gross
    sums.fixed += (addOn?.currency.toUpperCase() === currency ? addOn.fixed : 0) * gross
  }
  return sums.gross > 0 ? { pctBps: sums.pctBps / sums.gross, fixed: sums.fixed / sums.gross } : null
}

const NOT_SET = { fee: null, updatedAt: null }

/** The fees of a merchant's connectors: of those that are learned, overridden or have credentials, by name (cost.md 12). */
export const listConnectorFees = (
  { states, accounts }: Pick<Parts, 'states'> & { readonly accounts: AccountDirectory },
  merchantId: string,
  fits: readonly KnownFit[],
): readonly ShownConnector[] => {
  const { registered, registrationCount: merchantRegistrationCount } = states.stateOf(merchants, merchantId)
  const { connectors: overrides } = states.stateOf(costOverrides, merchantId)
  const { addOns } = states.stateOf(invoiceAddOns, merchantId)
  const own = registered ? accounts.accountsOf({ merchantId, merchantRegistrationCount }) : []
  const learned = fits.filter(({ clusters }) => clusters.length > 0)
  const names = [
    ...learned.map(({ head }) => head.connector),
    ...overrides.map(({ connector }) => connector),
    ...own.map(({ connector }) => connector),
  ]

  const feeOf = (connector: string, override: Fee | null): ConnectorFee => {
    const fitted = learned.filter(({ head }) => head.connector === connector)
    const clusters = fitted.flatMap((fit) => fit.clusters)
    const { learned: fee } = connectorFee(clusters, null, null)
    return connectorFee(clusters, override, fee && additionTo(fitted, addOns, fee.currency))
  }
  return [...new Set(names)].sort().map((connector) => {
    const isOfConnector = (one: { readonly connector: string }): boolean => one.connector === connector
    const { fee: override, updatedAt: overriddenAt } = overrides.find(isOfConnector) ?? NOT_SET
    const account = own.find(isOfConnector)?.account
    const fitted = learned.find(({ head }) => isOfConnector(head))?.head.account ?? ''
    const place = { connector, account: account ?? fitted, hasCredentials: account !== undefined }
    return { ...place, override, overriddenAt, ...feeOf(connector, override) }
  })
}
