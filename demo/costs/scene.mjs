import { drawsOf } from '../random.mjs'
import { feeOf } from '../settlements/tariff.mjs'
import { cardKinds, createAccount } from '../settlements/world.mjs'

/** Five connectors: what each takes on top of interchange and scheme fees, and what share of payments it approves. */
const CONNECTORS = [
  { connector: 'adyen', account: 'Shop', markupBps: 75, markupFixed: 0.12, approvalRate: 0.93 },
  { connector: 'braintree', account: 'Shop', markupBps: 110, markupFixed: 0.25, approvalRate: 0.915 },
  { connector: 'chase', account: 'Shop', markupBps: 35, markupFixed: 0.08, approvalRate: 0.9 },
  { connector: 'checkout', account: 'Shop', markupBps: 20, markupFixed: 0.1, approvalRate: 0.91 },
  { connector: 'stripe', account: 'Shop', markupBps: 140, markupFixed: 0.25, approvalRate: 0.86 },
]
const KIND_COUNT = 26
const PAYMENT_STREAM = 500_000_000
const BPS = 10_000
const CENTS = 100

/**
 * What the demo is about: accounts at five connectors with tariffs that only their reports tell, and payments that could go to any of them.
 *
 * @param {{ readonly seed: number }} options
 */
export const createScene = ({ seed }) => {
  const kinds = cardKinds({ seed, count: KIND_COUNT })
  const accounts = CONNECTORS.map((options) => createAccount({ seed, kinds, ...options }))
  const clusterOf = (connector, kind) =>
    accounts.find((account) => account.connector === connector)?.clusters.find((cluster) => cluster.kind === kind)

  const paymentAt = (index) => {
    const draw = drawsOf(seed, PAYMENT_STREAM + index)
    const kind = kinds[Math.floor(draw() * kinds.length)]
    const { from, to } = kind.amounts
    return { index, kind, amount: Math.round(from * (to / from) ** draw() * CENTS) / CENTS, luck: draw() }
  }
  return {
    kinds,
    accounts,
    gateways: CONNECTORS.map(({ connector }) => connector),
    paymentAt,
    clusterOf,
    isApproved: (gateway, { luck }) => luck < (CONNECTORS.find(({ connector }) => connector === gateway)?.approvalRate ?? 0),
    /** What the payment really costs there, bps of its amount. */
    trueCostBps: (gateway, { kind, amount }) => (feeOf(clusterOf(gateway, kind).tariff, amount) / amount) * BPS,
  }
}
