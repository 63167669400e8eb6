import { dayOf, money, quoted, referenceOf } from './cells.mjs'

const HEADER =
  'Company Account,Merchant Account,Psp Reference,Record Type,Booking Date,Payment Method Variant,Global Card Brand,Issuer Country,' +
  'Settlement Currency,Payable (SC),Commission (SC),Markup (SC),Scheme Fees (SC),Interchange (SC),ICSF details,Unique Terminal ID,Card Number'

const lineOf = (account, recordType, payment) => {
  const { cluster, amount, fee, dayMs } = payment
  const { network, funding, country, currency, category, bin, interchange } = cluster.kind
  const parts = [fee.markup, fee.scheme, fee.interchange].map(money)
  const payable = amount - parts.reduce((sum, part) => sum + Number(part), 0)
  const details = quoted(`[{"t":"ic","n":"${category}","bps":"${interchange[0].bps}"},{"t":"sf","n":"${network}"}]`)
  return `Company,${account},${referenceOf(payment)},${recordType},${dayOf(dayMs).iso} 10:11:12,${network}standard${funding},${network},${country.alpha2},${currency},${money(payable)},0,${parts[0]},${parts[1]},${parts[2]},${details},${cluster.hasTerminal ? 'T-1' : ''},${bin}****1111\n`
}

/** Every payment was authorised before it was settled: lines that repeat the same money and must not count. */
const lifeOf = (account, payment) => {
  const settled = lineOf(account, 'Settled', payment)
  if (payment.isRefunded) return `${settled}${lineOf(account, 'Refunded', payment)}`
  return payment.isChargedBack ? `${settled}${lineOf(account, 'Chargeback', payment)}` : settled
}

/** Payment accounting report. */
export function* adyenReport({ account }, payments) {
  yield `${HEADER}\n`
  for (const payment of payments) yield lifeOf(account, payment)
}
