import { cents, dayOf, money } from './cells.mjs'

const HEADER =
  'Month,Card Brand,Shopper Interaction,Funding Source,Payment Method Variant,Gross Ccy,Gross Qty,Cost Ccy,Cost Qty,Refund Flag,Fee Name,Variable Fee,Fixed Fee,Transaction Count'

const BRANDS = { visa: 'Visa', mc: 'MasterCard', amex: 'American Express' }
const FEES = ['interchange', 'scheme', 'markup']

const empty = (payment) => ({
  month: dayOf(payment.dayMs).month,
  cluster: payment.cluster,
  count: 0,
  turnover: 0,
  cost: { interchange: 0, scheme: 0, markup: 0 },
  fixed: { interchange: 0, scheme: 0, markup: 0 },
})

const fixedParts = ({ interchange, scheme, markup }, amount) => ({
  interchange: interchange.findLast(({ from }) => amount >= from).fixed,
  scheme: scheme.fixed,
  markup: markup.fixed,
})

const add = (total, { cluster, amount, fee }) => {
  const fixed = fixedParts(cluster.tariff, amount)
  total.count += 1
  total.turnover += amount
  for (const name of FEES) {
    total.cost[name] += fee[name]
    total.fixed[name] += fixed[name]
  }
}

const linesOf = ({ month, cluster, count, turnover, cost, fixed }, flag) => {
  const { network, funding, currency } = cluster.kind
  return FEES.map(
    (name) =>
      `${month},${BRANDS[network]},${cluster.hasTerminal ? 'pos' : 'ecommerce'},${funding},${network}${funding},${currency},${cents(turnover)},${currency},${money(cost[name])},${flag},${name},${money(cost[name] - fixed[name])},${money(fixed[name])},${count}\n`,
  ).join('')
}

/** Fees of whole months by kind of payment: grows with the kinds, not with the payments. */
export function* stripeReport(_account, payments) {
  const settled = new Map()
  const refunded = new Map()
  for (const payment of payments) {
    const { network, funding, currency } = payment.cluster.kind
    const key = `${dayOf(payment.dayMs).month} ${network} ${funding} ${currency} ${payment.cluster.hasTerminal}`
    for (const totals of payment.isRefunded ? [settled, refunded] : [settled]) {
      if (!totals.has(key)) totals.set(key, empty(payment))
      add(totals.get(key), payment)
    }
  }
  yield `${HEADER}\n`
  for (const total of settled.values()) yield linesOf(total, 'settle')
  for (const total of refunded.values()) yield linesOf(total, 'refund')
}
