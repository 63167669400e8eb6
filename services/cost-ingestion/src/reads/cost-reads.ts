import {
  type AccountAddOn,
  type AccountDirectory,
  type ConnectorCluster,
  clusterFacets,
  clusterKeyText,
  clustersOf,
  clusterText,
  costOverrides,
  coverageOf,
  type FitCluster,
  invoiceAddOns,
  type ListedCluster,
  listClusters,
  type NoticedChanges,
  noticedChanges,
  type StoredClusterOverride,
  servedAddOn,
} from '@switchyard/costs'
import { readChunks } from '../fitting/read-contributions.ts'
import { lifeOf } from '../ingestion-operations.ts'
import type { ClusterScope, CostOperations, MerchantCoverage } from '../operations.ts'
import type { Parts } from '../parts.ts'
import { listConnectorFees } from './connector-fees.ts'
import { createKnownFits, type KnownFit } from './known-fits.ts'

const isMeant = ({ connector, account }: ClusterScope, { head }: KnownFit): boolean =>
  (connector === undefined || head.connector === connector) && (account === undefined || head.account === account)

const overriddenAt = (overrides: readonly StoredClusterOverride[], { key, override }: ListedCluster): number | null => {
  const text = clusterKeyText(key)
  return override === null ? null : (overrides.find((one) => clusterKeyText(one.key) === text)?.updatedAt ?? null)
}

const coverageBySource = (fits: readonly KnownFit[]): MerchantCoverage => {
  const filled = fits.filter(({ clusters }) => clusters.length > 0)
  const dates = filled.map(({ head }) => head.reportDate).sort()
  return {
    coverage: coverageOf(filled.flatMap(({ clusters }) => clusters)),
    reportDate: dates.at(-1) ?? null,
    sources: filled.map(({ head: { connector, account, reportDate }, clusters }) => ({
      connector,
      account,
      reportDate,
      coverage: coverageOf(clusters),
    })),
  }
}

const textOf = (connector: string, account: string, cluster: FitCluster): string =>
  JSON.stringify([connector, account, clusterText(cluster)])

/** Clusters of a fit by their text, each with what the invoice of its account adds. */
const clustersOfFit = (
  { head: { connector, account }, clusters }: KnownFit,
  isMeantText: (text: string) => boolean,
  addOns: readonly AccountAddOn[],
): readonly ConnectorCluster[] => {
  const addOn = servedAddOn({ addOns }, { connector, account, clusters: clusters.map(({ cluster }) => cluster) })
  return clusters.filter(({ cluster }) => isMeantText(textOf(connector, account, cluster))).map((fitted) => ({ connector, fitted, addOn }))
}

/** What is shown of the costs that were learned (cost.md 10). */
export const createCostReads = (
  parts: Parts,
  accounts: AccountDirectory,
): Pick<CostOperations, 'clusters' | 'facets' | 'connectorFees' | 'coverage' | 'priceChanges'> => {
  const { journal, store, states } = parts
  const known = createKnownFits(store)

  const fitsOf = async (merchantId: string, reportDate?: string): Promise<readonly KnownFit[]> => {
    const life = await lifeOf(parts, merchantId)
    await journal.readIndex(merchantId)
    return await known.of({ merchantId, life }, reportDate)
  }

  /** Texts of the clusters that occur in a report; undefined when all are meant. */
  const touchedBy = async ({ merchantId, ingestionId }: ClusterScope): Promise<ReadonlySet<string> | undefined> => {
    if (ingestionId === undefined) return undefined
    const ingestion = await journal.find({ merchantId, life: await lifeOf(parts, merchantId), ingestionId })
    if (ingestion.report === null) return new Set()
    const { connector, account } = ingestion
    const texts = new Set<string>()
    for await (const chunk of readChunks(store, ingestion))
      for (const cluster of clustersOf(chunk)) texts.add(textOf(connector, account, cluster))
    return texts
  }

  const scoped = async (scope: ClusterScope): Promise<readonly ConnectorCluster[]> => {
    const fits = await fitsOf(scope.merchantId, scope.reportDate)
    const touched = await touchedBy(scope)
    const { addOns } = states.stateOf(invoiceAddOns, scope.merchantId)
    const isTouched = (one: string): boolean => touched === undefined || touched.has(one)
    return fits.filter((fit) => isMeant(scope, fit)).flatMap((fit) => clustersOfFit(fit, isTouched, addOns))
  }

  return {
    clusters: async ({ filter, order, limit, offset, ...scope }) => {
      const clusters = await scoped(scope)
      const { connector, account, reportDate, ingestionId } = scope
      const isUnscoped = [connector, account, reportDate, ingestionId].every((part) => part === undefined)
      const overrides = states.stateOf(costOverrides, scope.merchantId)
      // What is only overridden belongs to no report and no account.
      return listClusters(clusters, overrides, filter, order)
        .filter(({ verdict }) => isUnscoped || verdict !== null)
        .slice(offset, offset + limit)
        .map((cluster) => ({ cluster, overriddenAt: overriddenAt(overrides.clusters, cluster) }))
    },
    facets: async (scope) => {
      const everything = { columns: {}, verdicts: [], text: '' }
      return clusterFacets(listClusters(await scoped(scope), { clusters: [], connectors: [] }, everything, 'gross'))
    },
    connectorFees: async ({ merchantId }) => {
      const fits = await fitsOf(merchantId)
      // Each account has a key of its own in the log.
      await states.readIndexOfAll()
      return listConnectorFees({ states, accounts }, merchantId, fits)
    },
    coverage: async ({ merchantId }) => coverageBySource(await fitsOf(merchantId)),
    priceChanges: async ({ merchantId }) => {
      const life = await lifeOf(parts, merchantId)
      await journal.readIndex(merchantId)
      return (await store.get<NoticedChanges>(noticedChanges.name, [merchantId, life]))?.body.changes ?? []
    },
  }
}
