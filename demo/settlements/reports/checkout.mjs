import { cents, dayOf, money, referenceOf } from './cells.mjs'

const HEADER =
  'Entity ID,Payment ID,Action Type,Breakdown Type,Processed On,Holding Currency,Holding Currency Amount,Payment Method,Card Type,Card Category,Issuer Country'

const lineOf = (account, payment, { action, breakdown, amount }) => {
  const { network, funding, country, currency, category } = payment.cluster.kind
  return `${account},${referenceOf(payment)},${action},${breakdown},${dayOf(payment.dayMs).iso}T10:11:12.345,${currency},${amount},${network.toUpperCase()},${funding === 'debit' ? 'Debit' : 'Credit'},${category.toUpperCase()},${country.alpha2}\n`
}

/** Several lines a payment, costs negative; what is paid back or contested is no cost of it. */
const actionsOf = ({ amount, fee, isRefunded, isChargedBack }) => [
  { action: 'Capture', breakdown: 'Capture', amount: cents(amount) },
  { action: 'Capture', breakdown: 'Interchange Fee', amount: money(-fee.interchange) },
  { action: 'Capture', breakdown: 'Scheme Variable Fee', amount: money(-fee.scheme) },
  { action: 'Capture', breakdown: 'Gateway Fee', amount: money(-fee.markup) },
  ...(isRefunded ? [{ action: 'Refund', breakdown: 'Refund', amount: cents(-amount) }] : []),
  ...(isChargedBack ? [{ action: 'Chargeback', breakdown: 'Chargeback', amount: cents(-amount) }] : []),
]

/** Financial actions. */
export function* checkoutReport({ account }, payments) {
  yield `${HEADER}\n`
  for (const payment of payments) for (const action of actionsOf(payment)) yield lineOf(account, payment, action)
}
