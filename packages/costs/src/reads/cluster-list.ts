import type { Fee, FittedCluster, Tier } from '../fit/fitted-cluster.ts'
import type { Verdict } from '../fit/grade.ts'
import { grouped } from '../grouped.ts'
import type { AddOn, ClusterKey, ClusterOverride } from '../serving/cost-model.ts'
import { meanOfTiers } from '../serving/price-curve.ts'

/** Clusters that one answer lists (contract/README.md 21). */
export const CLUSTER_LIST_COUNT_MAX = 50

/** A fitted cluster, the connector it was learned of, and what the invoice of its account adds. */
export interface ConnectorCluster {
  readonly connector: string
  readonly fitted: FittedCluster
  readonly addOn: AddOn | null
}

/** What people ask of the list: values of one column are alternatives, columns narrow each other; all in any case (cost.md 10.4). */
export interface ClusterFilter {
  readonly columns: { readonly [column in keyof Omit<ClusterKey, 'connector'>]?: readonly string[] }
  readonly verdicts: readonly ClusterClass[]
  /** Part of any column; empty for all. */
  readonly text: string
}

/** A verdict, or that pieces of a cluster are good where the whole is not. */
export type ClusterClass = Verdict | 'TIERED'

/** A cluster as people see it: all its accounts and card products together. */
export interface ListedCluster {
  readonly key: ClusterKey
  readonly n: number
  readonly gross: number
  /** Mean by value of what has a fee; null when nothing has. */
  readonly learned: Fee | null
  readonly override: Fee | null
  /** What decisions reckon with, as a mean by value: its override or its connector's, or pieces where there are good ones, with invoices on top. */
  readonly effective: Fee | null
  readonly source: 'override' | 'model' | 'none'
  /** Those of the member with most value. */
  readonly verdict: Verdict | null
  readonly cardProduct: string
  readonly tiers: readonly Tier[]
}

const COLUMNS = ['cardNetwork', 'variant', 'funding', 'issuerCountry', 'currency', 'interchangeCategory'] as const

const keyOf = ({ connector, fitted: { cluster } }: ConnectorCluster): ClusterKey => ({
  connector,
  cardNetwork: cluster.cardNetwork,
  variant: cluster.variant,
  funding: cluster.funding,
  issuerCountry: cluster.issuerCountry,
  currency: cluster.currency,
  interchangeCategory: cluster.interchangeCategory,
})

const RESERVED = /[\\|]/g
const ESCAPED = /\\([\\|])/g
/** A bar behind an even number of backslashes, none as a rule. The bar first: looking back from every backslash takes a time that grows with the square. */
const SEPARATOR = /\|(?<=(?<!\\)(?:\\\\)*\|)/

const fieldsOf = (key: ClusterKey): readonly string[] => [key.connector, ...COLUMNS.map((column) => key[column])]

/** What names a cluster to people: its seven fields in lower case, joined by `|`; of a field itself it is written `\|`, a backslash `\\`. */
export const clusterKeyText = (key: ClusterKey): string =>
  fieldsOf(key)
    .map((field) => field.replace(RESERVED, '\\$&'))
    .join('|')
    .toLowerCase()

/** The key of such a text; undefined unless it has seven fields. */
export const parseClusterKey = (text: string): ClusterKey | undefined => {
  const fields = text
    .toLowerCase()
    .split(SEPARATOR)
    .map((field) => field.replace(ESCAPED, '$1'))
  const [connector = '', cardNetwork = '', variant = '', funding = '', issuerCountry = '', currency = '', interchangeCategory = ''] = fields
  if (fields.length !== COLUMNS.length + 1) return undefined
  return { connector, cardNetwork, variant, funding, issuerCountry, currency, interchangeCategory }
}

interface WeightedFee {
  readonly fee: Fee | null
  readonly gross: number
}

const meanFee = (members: readonly WeightedFee[]): Fee | null => {
  const sums = { pctBps: 0, fixed: 0, gross: 0 }
  for (const { fee, gross } of members) {
    if (fee === null) continue
    sums.pctBps += fee.pctBps * gross
    sums.fixed += fee.fixed * gross
    sums.gross += gross
  }
  return sums.gross > 0 ? { pctBps: sums.pctBps / sums.gross, fixed: sums.fixed / sums.gross } : null
}

/** What is learned of a cluster as decisions reckon with it. */
const servedFee = ({ fitted: { fee, gross, tiers, cluster }, addOn }: ConnectorCluster): WeightedFee => {
  const learned = meanOfTiers(tiers) ?? fee
  if (learned === null || addOn === null) return { fee: learned, gross }
  const isSameCurrency = addOn.currency.toLowerCase() === cluster.currency.toLowerCase()
  return { fee: { pctBps: learned.pctBps + addOn.pctBps, fixed: learned.fixed + (isSameCurrency ? addOn.fixed : 0) }, gross }
}

/** Whether decisions reckon with a cluster: its line is GOOD, or pieces of it are. */
const isServed = ({ fitted: { verdict, fee, tiers } }: ConnectorCluster): boolean =>
  (verdict === 'GOOD' && fee !== null) || meanOfTiers(tiers) !== undefined

const sourceOf = (override: Fee | null, served: Fee | null): ListedCluster['source'] => {
  if (override !== null) return 'override'
  return served === null ? 'none' : 'model'
}

/** The member in pieces with most value, the first of two as large; undefined when none is. */
const mainLadderOf = (group: readonly ConnectorCluster[]): ConnectorCluster | undefined =>
  group
    .filter(({ fitted: { tiers } }) => meanOfTiers(tiers) !== undefined)
    .reduce<ConnectorCluster | undefined>((most, one) => (most && most.fitted.gross >= one.fitted.gross ? most : one), undefined)

/** Those that decisions reckon with: of each card product its main ladder alone, before the lines of other accounts (cost.md 14). */
const servedOf = (group: readonly ConnectorCluster[]): readonly ConnectorCluster[] =>
  [...grouped(group.filter(isServed), ({ fitted: { cluster } }) => cluster.cardProduct).values()].flatMap(
    (ofProduct) => mainLadderOf(ofProduct) ?? ofProduct,
  )

interface SetFees {
  readonly ofCluster: Fee | null
  readonly ofConnector: Fee | null
}

const listed = (key: ClusterKey, group: readonly ConnectorCluster[], { ofCluster, ofConnector }: SetFees): ListedCluster => {
  const members = group.map(({ fitted }) => fitted)
  const largest = members.reduce<FittedCluster | undefined>((most, one) => (most && most.gross >= one.gross ? most : one), undefined)
  const counted = servedOf(group)
  // Of a cluster that decisions do without, what was found so far is shown.
  const served = meanFee((counted.length > 0 ? counted : group).map(servedFee))
  const override = ofCluster ?? ofConnector
  return {
    key,
    n: members.reduce((count, { n }) => count + n, 0),
    gross: members.reduce((sum, { gross }) => sum + gross, 0),
    learned: meanFee(members),
    override: ofCluster,
    effective: override ?? served,
    source: sourceOf(override, served),
    verdict: largest?.verdict ?? null,
    cardProduct: largest?.cluster.cardProduct ?? '',
    tiers: mainLadderOf(group)?.fitted.tiers ?? [],
  }
}

const classOf = ({ verdict, tiers }: ListedCluster): ClusterClass | null => (verdict !== 'GOOD' && tiers.length > 0 ? 'TIERED' : verdict)

const isOneOf = (values: readonly string[] | undefined, value: string): boolean => {
  const asked = (values ?? []).filter((one) => one.trim() !== '')
  return asked.length === 0 || asked.some((one) => one.toLowerCase() === value.toLowerCase())
}

const matches = (cluster: ListedCluster, { columns, verdicts, text }: ClusterFilter): boolean => {
  const itsClass = classOf(cluster)
  if (verdicts.length > 0 && (itsClass === null || !verdicts.includes(itsClass))) return false
  if (!COLUMNS.every((column) => isOneOf(columns[column], cluster.key[column]))) return false
  const asked = text.trim().toLowerCase()
  return clusterKeyText(cluster.key).includes(asked) || fieldsOf(cluster.key).join('|').toLowerCase().includes(asked)
}

/** Fees that people have set. */
export interface FeeOverrides {
  readonly clusters: readonly ClusterOverride[]
  readonly connectors: readonly { readonly connector: string; readonly fee: Fee }[]
}

/** All clusters that pass a filter, with most value or most payments first; clusters that are only overridden have neither. */
export const listClusters = (
  clusters: readonly ConnectorCluster[],
  overrides: FeeOverrides,
  filter: ClusterFilter,
  order: 'gross' | 'txns',
): readonly ListedCluster[] => {
  const feeOf = new Map(overrides.clusters.map(({ key, fee }) => [clusterKeyText(key), fee]))
  const feeOfConnector = new Map(overrides.connectors.map(({ connector, fee }) => [connector, fee]))
  const list = (key: ClusterKey, group: readonly ConnectorCluster[]): ListedCluster =>
    listed(key, group, { ofCluster: feeOf.get(clusterKeyText(key)) ?? null, ofConnector: feeOfConnector.get(key.connector) ?? null })
  const groups = grouped(
    clusters.filter(({ fitted }) => fitted.gross > 0),
    (one) => clusterKeyText(keyOf(one)),
  )
  const learned = [...groups.values()].flatMap((group) => {
    const [first] = group
    return first ? [list(keyOf(first), group)] : []
  })
  const overridden = overrides.clusters.filter(({ key }) => !groups.has(clusterKeyText(key))).map(({ key }) => list(key, []))
  const sizeOf = ({ gross, n }: ListedCluster): number => (order === 'txns' ? n : gross)
  return [...learned, ...overridden]
    .filter((cluster) => matches(cluster, filter))
    .sort((one, other) => sizeOf(other) - sizeOf(one) || (clusterKeyText(one.key) < clusterKeyText(other.key) ? -1 : 1))
}

/** How many payments of a list have a value in a column. */
export interface ClusterFacet {
  readonly column: keyof ClusterKey | 'verdict'
  readonly value: string
  readonly txns: number
}

const txnsOf = (clusters: readonly ListedCluster[]): number => clusters.reduce((count, { n }) => count + n, 0)

/** The spelling of most payments. */
const usualSpelling = (spelled: readonly ClusterFacet[]): string =>
  spelled.reduce<ClusterFacet | undefined>((most, one) => (most && most.txns >= one.txns ? most : one), undefined)?.value ?? ''

/**
 * The values that a list can be filtered by, by column, those of most payments first; blank ones are left out. Reports spell a value in
 * their own ways, and a filter finds all of them.
 */
export const clusterFacets = (clusters: readonly ListedCluster[]): readonly ClusterFacet[] =>
  (['connector', ...COLUMNS, 'verdict'] as const).flatMap((column) => {
    const groups = grouped(clusters, (cluster) => (column === 'verdict' ? (classOf(cluster) ?? '') : cluster.key[column]))
    const spelled = [...groups].filter(([value]) => value !== '').map(([value, group]) => ({ column, value, txns: txnsOf(group) }))
    return [...grouped(spelled, ({ value }) => value.toLowerCase()).values()]
      .map((same) => ({ column, value: usualSpelling(same), txns: same.reduce((count, { txns }) => count + txns, 0) }))
      .sort((one, other) => other.txns - one.txns || (one.value < other.value ? -1 : 1))
  })
