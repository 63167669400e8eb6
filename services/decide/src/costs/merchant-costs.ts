import { merchants } from '@switchyard/access'
import {
  type ContractRate,
  type CostOverrides,
  type CostTable,
  contractRates,
  costOverrides,
  createCostTable,
  type LearnedIndex,
} from '@switchyard/costs'
import type { StreamStates } from '@switchyard/runtime'
import type { DecideServiceDependencies } from '../dependencies.ts'
import type { CostFollower } from './cost-follower.ts'
import type { LearnedCostModel } from './served-models.ts'

/** Merchants with costs whose tables are kept; when there are more, all are made anew at their next decision. */
const TABLE_COUNT_MAX = 10_000

/** What decisions of a merchant reckon with. */
interface MerchantCosts {
  readonly table: CostTable
  /** Position token of the last fit that it includes; null when nothing is learned. */
  readonly version: string | null
  /** Nothing is learned and nothing is set: no payment has a price. */
  readonly isEmpty: boolean
}

/** The costs of a merchant as they are now. */
export type CostsOf = (merchantId: string) => MerchantCosts

/** A table, and the states that it was made of: they never change, they are replaced. */
interface Made extends MerchantCosts {
  readonly index: LearnedIndex | null
  readonly overrides: CostOverrides
  /** Null where none count. */
  readonly rates: readonly ContractRate[] | null
}

/** Of every merchant of whom nothing is learned and nothing is set, which most are: one of each would be made for nothing. */
const NO_COSTS: MerchantCosts = {
  version: null,
  isEmpty: true,
  table: createCostTable(null, { clusterOverrides: [], connectorOverrides: new Map(), contractRates: [] }),
}

const isNothingSet = ({ clusters, connectors }: CostOverrides, rates: Made['rates']): boolean =>
  clusters.length === 0 && connectors.length === 0 && (rates === null || rates.length === 0)

const make = (learned: LearnedCostModel | undefined, overrides: CostOverrides, rates: Made['rates']): Made => {
  const index = learned?.index ?? null
  return {
    index,
    overrides,
    rates,
    version: learned?.version ?? null,
    isEmpty: false,
    table: createCostTable(index, {
      clusterOverrides: overrides.clusters,
      connectorOverrides: new Map(overrides.connectors.map(({ connector, fee }) => [connector, fee])),
      contractRates: rates ?? [],
    }),
  }
}

/**
 * {@link CostsOf} by what is learned and what people have set; made anew when either has changed. Rates of contracts count where the
 * deployment says so (cost.md 13); `deploymentRates` are those of merchants that told none.
 */
export const createCostsOf = (
  states: Pick<StreamStates, 'stateOf'>,
  follower: Pick<CostFollower, 'modelOf'>,
  { contractRatesDecide = false, deploymentRates = [] }: Pick<DecideServiceDependencies, 'contractRatesDecide' | 'deploymentRates'>,
): CostsOf => {
  const tables = new Map<string, Made>()
  const ratesOf = (merchantId: string): Made['rates'] =>
    contractRatesDecide ? (states.stateOf(contractRates, merchantId).rates ?? deploymentRates) : null
  const learnedOf = (merchantId: string): LearnedCostModel | undefined => {
    const model = follower.modelOf(merchantId)
    return model?.merchantRegistrationCount === states.stateOf(merchants, merchantId).registrationCount ? model : undefined
  }
  const tableOf = (merchantId: string, learned: LearnedCostModel | undefined, overrides: CostOverrides, rates: Made['rates']): Made => {
    const known = tables.get(merchantId)
    if (known && known.index === (learned?.index ?? null) && known.overrides === overrides && known.rates === rates) return known
    if (tables.size >= TABLE_COUNT_MAX) tables.clear()
    const made = make(learned, overrides, rates)
    tables.set(merchantId, made)
    return made
  }
  return (merchantId) => {
    const learned = learnedOf(merchantId)
    const overrides = states.stateOf(costOverrides, merchantId)
    const rates = ratesOf(merchantId)
    if (learned !== undefined || !isNothingSet(overrides, rates)) return tableOf(merchantId, learned, overrides, rates)
    tables.delete(merchantId)
    return NO_COSTS
  }
}
