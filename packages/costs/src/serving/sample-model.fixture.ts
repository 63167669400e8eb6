import type { FittedCostCluster } from '@switchyard/events'
import type { Fee, FittedCluster, Tier } from '../fit/fitted-cluster.ts'
import { fitEvents } from '../fits/fit-events.ts'
import type { FitCluster } from '../statistics/fit-cluster.ts'
import { statisticsOf } from '../statistics/statistics.ts'
import type { AddOn, ClusterKey, LearnedAccount, LearnedModel, PricedPayment, SetCosts } from './cost-model.ts'
import { type CostTable, createCostTable } from './cost-table.ts'
import { compileLearnedCosts } from './learned-costs.ts'
import { LearnedIndex } from './learned-index.ts'
import { NumberedFit } from './numbered-fit.ts'

/** A cluster of Visa debit in euro. */
const cluster = (changes: Partial<FitCluster> = {}): FitCluster => ({
  cardNetwork: 'visa',
  variant: 'visastandarddebit',
  funding: 'debit',
  issuerCountry: 'NL',
  currency: 'EUR',
  interchangeCategory: 'Consumer',
  cardProduct: '',
  ...changes,
})

/** A GOOD cluster. */
export const fitted = (fee: Fee, changes: Partial<FitCluster> = {}, gross = 1000): FittedCluster => ({
  cluster: cluster(changes),
  basis: 'payments',
  fee,
  n: 500,
  gross,
  errorBps: 2,
  slopeErrorBps: 1,
  explainedShare: 1,
  verdict: 'GOOD',
  tiers: [],
})

/** A piece of a price. */
export const tier = (from: number, to: number, fee: Fee | null, changes: Partial<Tier> = {}): Tier => ({
  index: 0,
  from,
  to,
  fee,
  errorBps: 1,
  n: 300,
  gross: 1000,
  verdict: 'GOOD',
  ...changes,
})

/** The pieces of cost.md 17.4. */
export const LADDER: readonly Tier[] = [
  tier(25.12, 3981.07, { pctBps: 150, fixed: 0.35 }),
  tier(3981.07, 15848.93, { pctBps: 55, fixed: 38.2 }),
]

/** What names the sample cluster. */
export const key = (changes: Partial<ClusterKey> = {}): ClusterKey => {
  const { cardProduct: _, ...kind } = cluster()
  return { connector: 'adyen', ...kind, ...changes }
}

const NOBODY = { merchantId: 'm', merchantRegistrationCount: 1, connector: 'c', account: 'a', fitId: 'f', fitCount: 1, at: 0 }

/** Clusters as the events of a fit have them, seen in no payment. */
const recorded = (clusters: readonly FittedCluster[]): readonly FittedCostCluster[] =>
  fitEvents(NOBODY, statisticsOf([]), clusters).flatMap(({ data }) => data.clusters)

/** An account by the clusters of one event. */
const accountOf = (connector: string, clusters: readonly FittedCostCluster[], addOn: AddOn | null): LearnedAccount => {
  const fit = new NumberedFit(1)
  fit.take(0, clusters, [])
  return { connector, fit, addOn }
}

/** An account with these clusters. */
export const learned = (connector: string, clusters: readonly FittedCluster[], addOn: AddOn | null = null): LearnedAccount =>
  accountOf(connector, recorded(clusters), addOn)

/** An account without a price whose payments had a category. */
interface Counted extends FitCluster {
  readonly connector: string
  readonly channel: 'pos' | 'ecom'
  readonly band: number
  readonly count: number
}

/** Payments of the sample cluster whose category is known. */
export const counted = (changes: Partial<Counted> = {}): LearnedAccount => {
  const { connector, channel, band, count, ...kind } = {
    connector: 'adyen',
    channel: 'ecom',
    band: 20,
    count: 100,
    ...cluster(),
    ...changes,
  }
  const seen = [{ channel: channel === 'pos' ? 'POS' : 'ECOM', bandSlot: band, paymentCount: count } as const]
  const unpriced: FittedCluster = { ...fitted({ pctBps: 0, fixed: 0 }), cluster: kind, fee: null, verdict: 'THIN' }
  return accountOf(
    connector,
    recorded([unpriced]).map((one) => ({ ...one, seen })),
    null,
  )
}

/** What is learned and what is set. */
export type CostModel = LearnedModel & SetCosts

/** A model that says nothing but what is given. */
export const model = ({
  accounts = [],
  categoryCounts = [counted()],
  ...changes
}: Partial<CostModel> & { readonly categoryCounts?: readonly LearnedAccount[] } = {}): CostModel => ({
  accounts: [...accounts, ...categoryCounts],
  clusterOverrides: [],
  connectorOverrides: new Map(),
  productByBin: new Map(),
  contractRates: [],
  ...changes,
})

/** A payment of 100 euro that falls into the sample cluster. */
export const payment = (changes: Partial<PricedPayment> = {}): PricedPayment => ({
  amount: 100,
  currency: 'EUR',
  network: 'VISA',
  funding: 'DEBIT',
  program: 'STANDARD',
  issuerCountry: 'NLD',
  bin: '',
  channel: 'ecom',
  paymentMethod: 'VISA',
  ...changes,
})

/** The table of a model, compiled and opened as threads do it. */
export const tableOf = (of: CostModel): CostTable => createCostTable(new LearnedIndex(compileLearnedCosts(of)), of)
