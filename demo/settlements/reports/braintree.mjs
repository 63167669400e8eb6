import { cents, dayOf, money, referenceOf } from './cells.mjs'

const HEADER =
  'Merchant Account ID,Transaction ID,Transaction Type,Settlement Date,Settlement Currency,Settlement Amount,Card Brand,Card Type,' +
  'Payment Instrument,Card Issuing Country,Interchange Description,Interchange Total Amount,Total Scheme Fees,Braintree Total Amount'

const BRANDS = { visa: 'Visa', mc: 'Mastercard', amex: 'American Express' }

const lineOf = (account, type, payment) => {
  const { cluster, amount, fee, dayMs } = payment
  const { network, funding, country, currency, category } = cluster.kind
  return `${account},${referenceOf(payment)},${type},${dayOf(dayMs).slashed},${currency},${cents(amount)},${BRANDS[network]},${funding === 'debit' ? 'Debit' : 'Credit'},credit_card,${country.alpha3},${category},${money(fee.interchange)},${money(fee.scheme)},${money(fee.markup)}\n`
}

const lifeOf = (account, payment) => {
  const sale = lineOf(account, 'sale', payment)
  if (payment.isRefunded) return `${sale}${lineOf(account, 'credit', payment)}`
  return payment.isChargedBack ? `${sale}${lineOf(account, 'chargeback', payment)}` : sale
}

/** Merchant financial report. */
export function* braintreeReport({ account }, payments) {
  yield `${HEADER}\n`
  for (const payment of payments) yield lifeOf(account, payment)
}
