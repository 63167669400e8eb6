import type { Fee } from '../fit/fitted-cluster.ts'
import type { Channel } from '../reports/canonical-row.ts'
import { bandOf } from '../statistics/band.ts'
import { UNKNOWN } from '../tuple-index.ts'
import { contractRateFor, feeOfRate, ratesByGateway } from './contract-rates.ts'
import type { PricedPayment, SetCosts } from './cost-model.ts'
import type { LearnedFee, LearnedIndex, LearnedRung } from './learned-index.ts'
import { type NumberedPayment, numberedPayment } from './model-names.ts'
import { OverrideIndex } from './override-index.ts'
import { effectiveBps } from './price-curve.ts'

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

/** A payment that is being priced; null where nothing is learned, or no cluster overridden. */
interface Opened {
  readonly payment: PricedPayment
  readonly amount: number
  readonly learned: NumberedPayment | null
  readonly overridden: NumberedPayment | null
  readonly channel: Channel
  readonly band: number
}

/** Whether a cost is that of the payment's own cluster; people name clusters without their card products. */
const isOfOwnCluster = (rung: LearnedRung | undefined): boolean => rung === 'exact' || rung === 'products'

/** Whether clusters of the payment's own issuer tell what it costs: what holds for cards of which no issuer is told stands behind them. */
const isOfOwnIssuer = (learned: LearnedFee | undefined): boolean =>
  learned !== undefined && learned.rung !== 'region' && !learned.isWithoutIssuer

/** What an override is looked for by, beside the payment itself. */
interface AskedOverride {
  readonly connector: number
  /** Null when nothing tells it. */
  readonly category: string | null
  /** The payment's own cluster is learned. */
  readonly isLearned: boolean
}

/** What people have set beside what is learned. */
class Costs {
  readonly #learned: LearnedIndex | null
  readonly #overrides: OverrideIndex
  readonly #connectorOverrides: ReadonlyMap<string, Fee>
  readonly #rates: ReturnType<typeof ratesByGateway>

  constructor(learned: LearnedIndex | null, { clusterOverrides, connectorOverrides, contractRates }: SetCosts) {
    this.#learned = learned
    this.#overrides = new OverrideIndex(clusterOverrides)
    this.#connectorOverrides = new Map([...connectorOverrides].map(([connector, fee]) => [connector.toLowerCase(), fee]))
    this.#rates = ratesByGateway(contractRates)
  }

  open(payment: PricedPayment): Opened {
    const amount = roundedToCents(payment.amount)
    const index = this.#learned
    return {
      payment,
      amount,
      learned: index && numberedPayment(index.names, payment, index.productOf(payment.bin)),
      overridden: this.#overrides.isEmpty ? null : numberedPayment(this.#overrides.names, payment, UNKNOWN),
      channel: channelOf(payment.channel),
      band: bandOf(amount),
    }
  }

  /** A gateway may be sent as `name:id`: what is set or learned for just that stands above what is known of its connector. */
  costOn(opened: Opened, gateway: string): GatewayCost | undefined {
    const whole = gateway.toLowerCase()
    const nameEnd = whole.indexOf(':')
    const cost = this.#costOn(opened, whole)
    return cost === undefined && nameEnd > 0 ? this.#costOn(opened, whole.slice(0, nameEnd)) : cost
  }

  #costOn(opened: Opened, connector: string): GatewayCost | undefined {
    const index = this.#learned
    const id = index === null ? UNKNOWN : index.names.connectors.of(connector)
    const { learned: numbered, amount } = opened
    if (index === null || numbered === null || id === UNKNOWN) return this.#setCost(opened, connector, null, undefined)
    const category = index.guess(id, numbered, opened.channel, opened.band)
    const found = index.find(id, numbered, category, amount)
    return this.#setCost(opened, connector, category === UNKNOWN ? null : index.names.categories.textOf(category), found)
  }

  /** What is set for the payment, else what is learned of it, else what contracts say. */
  #setCost(opened: Opened, connector: string, category: string | null, learned: LearnedFee | undefined): GatewayCost | undefined {
    const { amount } = opened
    const override = this.#overrideOf(opened, connector, category, learned)
    if (override) return { bps: effectiveBps(override, amount), fee: override, rung: 'cluster-override', interchangeCategory: category }
    const ofConnector = this.#connectorOverrides.get(connector)
    if (ofConnector)
      return { bps: effectiveBps(ofConnector, amount), fee: ofConnector, rung: 'connector-override', interchangeCategory: null }
    if (learned === undefined) return this.#contractCost(opened, connector)
    const { fee, rung } = learned
    return { bps: effectiveBps(fee, amount), fee, rung, interchangeCategory: rung === 'region' ? null : category }
  }

  /** Overrides are found as learned clusters are: those of the payment's issuer, then those of reports that tell none. */
  #overrideOf({ overridden }: Opened, gateway: string, category: string | null, learned: LearnedFee | undefined): Fee | undefined {
    if (overridden === null) return undefined
    const connector = this.#overrides.names.connectors.of(gateway)
    if (connector === UNKNOWN) return undefined
    const isLearned = isOfOwnCluster(learned?.rung)
    // A cluster that is learned though no category was guessed has none.
    const asked = { connector, category: isLearned ? (category ?? '') : category, isLearned }
    const { issuer, blankIssuer } = overridden
    const ofIssuer = this.#overrideAt(overridden, issuer, asked)
    if (ofIssuer !== undefined || issuer === blankIssuer || isOfOwnIssuer(learned)) return ofIssuer
    return this.#overrideAt(overridden, blankIssuer, asked)
  }

  /** Where the payment's own cluster is learned, only an override of just this cluster stands above it. */
  #overrideAt(payment: NumberedPayment, issuer: number, { connector, category, isLearned }: AskedOverride): Fee | undefined {
    const categoryId = category === null ? UNKNOWN : this.#overrides.names.categories.of(category)
    const exact = this.#overrides.exact(connector, payment, issuer, categoryId)
    if (exact !== undefined || isLearned) return exact
    // A category that no override names is still one: then only those of every category remain.
    return category !== null && categoryId === UNKNOWN ? undefined : this.#overrides.relaxed(connector, payment, issuer, categoryId)
  }

  #contractCost({ payment, amount }: Opened, gateway: string): GatewayCost | undefined {
    const rate = contractRateFor(this.#rates.get(gateway) ?? [], payment)
    if (rate === undefined) return undefined
    const fee = feeOfRate(rate)
    return { bps: effectiveBps(fee, amount), fee, rung: 'contract', interchangeCategory: null }
  }
}

/**
 * The costs of a merchant (cost.md 14): what is learned, null when nothing is, under what people have set. A lookup follows the
 * ladder: override of the cluster, override of the connector, learned (own cluster, then blends of ever more clusters), contract,
 * none. Money is compared in its own currency only: a payment in another one than its reports meets overrides of connectors and
 * contracts alone. Cheap to make anew with other overrides.
 */
export const createCostTable = (learned: LearnedIndex | null, set: SetCosts): CostTable => {
  const costs = new Costs(learned, set)
  return {
    price: (payment) => {
      const opened = costs.open(payment)
      return { costOn: (gateway) => costs.costOn(opened, gateway) }
    },
  }
}
