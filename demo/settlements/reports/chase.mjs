import { cents, dayOf, money, referenceOf } from './cells.mjs'

const HEADER =
  'Merchant Order Number,Action Type Code Text,Submission Date,Payment Method Code,Card Usage Type,Country of Issuance,Settlement Currency Code,' +
  'Presentment Currency Code,Interchange Qualification Code,Transaction Amount in Presentment Currency,Total Interchange Amount,' +
  'Total Assessment Amount,Other Debit Passthrough Fees,Digital Wallet Brand,Terminal Identifier'

const CODES = { visa: 'VI', mc: 'MC', amex: 'AX' }

const lineOf = (type, payment) => {
  const { cluster, amount, fee, dayMs } = payment
  const { network, funding, country, currency, category } = cluster.kind
  // Costs are negative in this report.
  return `${referenceOf(payment)},${type},${dayOf(dayMs).slashed},${CODES[network]},${funding === 'debit' ? '1' : '3'},${country.alpha2},${currency},${currency},${category},${cents(amount)},${money(-fee.interchange)},${money(-fee.scheme)},${money(-fee.markup)},,${cluster.hasTerminal ? 'T1' : ''}\n`
}

const lifeOf = (payment) => {
  const sale = lineOf('SALE', payment)
  if (payment.isRefunded) return `${sale}${lineOf('REFUND', payment)}`
  return payment.isChargedBack ? `${sale}${lineOf('CHARGEBACK', payment)}` : sale
}

/** Deposit details between their frame lines. */
export function* chaseReport({ account }, payments) {
  yield `\uFEFFBEGIN,DepositDetails\nEntityId=${account}\n${HEADER}\n`
  for (const payment of payments) yield lifeOf(payment)
  yield 'END,DepositDetails\n'
}
