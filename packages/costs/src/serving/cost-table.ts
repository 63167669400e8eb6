import type { Fee } from '../fit/fitted-cluster.ts'
import type { Channel } from '../reports/canonical-row.ts'
import { bandOf } from '../statistics/band.ts'
import { PRODUCT_BIN_DIGITS } from '../statistics/bin-rates.ts'
import { CategoryIndex } from './category-index.ts'
import { contractRateFor, feeOfRate, ratesByGateway } from './contract-rates.ts'
import type { CostModel, PricedPayment } from './cost-model.ts'
import { LearnedIndex, type LearnedRung } from './learned-index.ts'
import { ModelNames, type NumberedPayment, numberedPayment } from './model-names.ts'
import { OverrideIndex } from './override-index.ts'
import { effectiveBps, feeAt } from './price-curve.ts'
import { UNKNOWN } from './tuple-index.ts'

/** What says what a payment costs on a gateway, first to last. */
export type CostRung = 'cluster-override' | 'connector-override' | LearnedRung | 'contract'

/** What a payment costs on a gateway. */
export interface GatewayCost {
  /** Share of the amount, never below zero. */
  readonly bps: number
  /** At this amount, invoices added. */
  readonly fee: Fee
  readonly rung: CostRung
  /** The interchange category that was guessed; null when none was or it did not matter. */
  readonly interchangeCategory: string | null
}

/** Prices one payment on gateways. */
export interface PaymentCosts {
  /** Undefined when nothing tells what it costs there. */
  readonly costOn: (gateway: string) => GatewayCost | undefined
}

/** The costs of a merchant, made ready for decisions. */
export interface CostTable {
  readonly price: (payment: PricedPayment) => PaymentCosts
}

const channelOf = (channel: string): Channel => (/^(pos|contactless)$/i.test(channel) ? 'pos' : 'ecom')

const CENTS = 100
const roundedToCents = (amount: number): number => Math.round(amount * CENTS) / CENTS

interface Opened {
  readonly payment: PricedPayment
  readonly amount: number
  readonly numbered: NumberedPayment
  readonly channel: Channel
  readonly band: number
}

/** All that a model says, by the numbers of its texts. Lookups share scratch space: a table belongs to one thread. */
class CompiledCosts {
  readonly #names: ModelNames = new ModelNames()
  readonly #overrides: OverrideIndex
  readonly #learned: LearnedIndex
  readonly #categories: CategoryIndex
  readonly #connectorOverrides: ReadonlyMap<string, Fee>
  readonly #productByBin: ReadonlyMap<string, string>
  readonly #rates: ReturnType<typeof ratesByGateway>
  readonly #blankCategory: number

  constructor(model: CostModel) {
    this.#blankCategory = this.#names.categories.add('')
    this.#overrides = new OverrideIndex(this.#names, model.clusterOverrides)
    this.#learned = new LearnedIndex(this.#names, model.accounts)
    this.#categories = new CategoryIndex(this.#names, model.categoryCounts)
    this.#connectorOverrides = new Map([...model.connectorOverrides].map(([connector, fee]) => [connector.toLowerCase(), fee]))
    this.#productByBin = model.productByBin
    this.#rates = ratesByGateway(model.contractRates)
  }

  open(payment: PricedPayment): Opened {
    const amount = roundedToCents(payment.amount)
    const product = this.#productByBin.get(payment.bin.slice(0, PRODUCT_BIN_DIGITS))
    const numbered = numberedPayment(this.#names, payment, product)
    return { payment, amount, numbered, channel: channelOf(payment.channel), band: bandOf(amount) }
  }

  costOn(opened: Opened, gateway: string): GatewayCost | undefined {
    const connector = gateway.toLowerCase()
    return this.#ownCost(opened, connector) ?? this.#contractCost(opened, connector)
  }

  #ownCost(opened: Opened, connector: string): GatewayCost | undefined {
    const { numbered, amount } = opened
    const id = this.#names.connectors.of(connector)
    const category = id === UNKNOWN ? UNKNOWN : this.#categories.guess(id, numbered, opened.channel, opened.band)
    const shown = category === UNKNOWN ? null : this.#names.categories.textOf(category)
    // A connector whose reports name no category has its clusters under the blank one.
    const learned = id === UNKNOWN ? undefined : this.#learned.find(id, numbered, category === UNKNOWN ? this.#blankCategory : category)
    const override = this.#overrideOf(id, numbered, category, learned?.rung === 'exact')
    if (override) return { bps: effectiveBps(override, amount), fee: override, rung: 'cluster-override', interchangeCategory: shown }
    const ofConnector = this.#connectorOverrides.get(connector)
    if (ofConnector)
      return { bps: effectiveBps(ofConnector, amount), fee: ofConnector, rung: 'connector-override', interchangeCategory: null }
    if (learned === undefined) return undefined
    const fee = feeAt(learned.curve, amount)
    return { bps: effectiveBps(fee, amount), fee, rung: learned.rung, interchangeCategory: learned.rung === 'region' ? null : shown }
  }

  /** Where the payment's own cluster is learned, only an override of just this cluster stands above it. */
  #overrideOf(connector: number, payment: NumberedPayment, category: number, isLearned: boolean): Fee | undefined {
    if (this.#overrides.isEmpty || connector === UNKNOWN) return undefined
    const exact = this.#overrides.exact(connector, payment, category)
    return exact ?? (isLearned ? undefined : this.#overrides.relaxed(connector, payment, category))
  }

  #contractCost({ payment, amount }: Opened, gateway: string): GatewayCost | undefined {
    const rate = contractRateFor(this.#rates.get(gateway) ?? [], payment)
    if (rate === undefined) return undefined
    const fee = feeOfRate(rate)
    return { bps: effectiveBps(fee, amount), fee, rung: 'contract', interchangeCategory: null }
  }
}

/**
 * Compiles the costs of a merchant (cost.md 14). A lookup follows the ladder: override of the cluster, override of the connector,
 * learned (own cluster, then blends of ever more clusters), contract, none. Money is compared in its own currency only: a
 * payment in another one than its reports meets overrides of connectors and contracts alone.
 */
export const createCostTable = (model: CostModel): CostTable => {
  const costs = new CompiledCosts(model)
  return {
    price: (payment) => {
      const opened = costs.open(payment)
      return { costOn: (gateway) => costs.costOn(opened, gateway) }
    },
  }
}
