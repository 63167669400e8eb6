import type { Fee, FittedCluster, Tier } from '../fit/fitted-cluster.ts'
import type { FitCluster } from '../statistics/fit-cluster.ts'
import type { CategoryCount, ClusterKey, CountedPayments, LearnedModel, PricedPayment, SetCosts } from './cost-model.ts'
import { type CostTable, createCostTable } from './cost-table.ts'
import { compileLearnedCosts } from './learned-costs.ts'
import { LearnedIndex } from './learned-index.ts'

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

type Counted = Partial<Omit<CategoryCount, 'seen'> & CountedPayments>

/** Payments of the sample cluster whose category is known. */
export const counted = ({ channel = 'ecom', band = 20, count = 100, ...changes }: Counted = {}): CategoryCount => ({
  connector: 'adyen',
  ...cluster(),
  ...changes,
  seen: [{ channel, band, count }],
})

/** What is learned and what is set. */
export type CostModel = LearnedModel & SetCosts

/** A model that says nothing but what is given. */
export const model = (changes: Partial<CostModel> = {}): CostModel => ({
  accounts: [],
  clusterOverrides: [],
  connectorOverrides: new Map(),
  categoryCounts: [counted()],
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
