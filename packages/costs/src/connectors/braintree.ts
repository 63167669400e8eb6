import { type Funding, type SettledPayment, totalOf } from '../reports/canonical-row.ts'
import { parseSlashedDay } from '../reports/day.ts'
import { namedFunding } from '../reports/funding.ts'
import { networkOf } from '../reports/network-labels.ts'
import type { ReportCells } from '../reports/report-cells.ts'
import { noFrame, parserOfRecords, type ReportFormat } from '../reports/report-format.ts'

const cardFunding = (cell: string): Funding => {
  const funding = namedFunding(cell)
  return funding === 'prepaid' ? '' : funding
}

/** Cards are named by network and funding, other instruments by themselves. */
const variantOf = (instrument: string, network: string, funding: Funding): string => {
  const card = instrument.includes('card') ? network + funding : ''
  return card === '' ? instrument.replaceAll('_', '') : card
}

const take = (cells: ReportCells): SettledPayment | null => {
  if (cells.raw('Transaction Type').toLowerCase() !== 'sale') return null
  const instrument = cells.lower('Payment Instrument')
  const brand = cells.text('Card Brand') || cells.text('Payment Network')
  const cardNetwork = brand === '' ? instrument : networkOf(brand)
  const funding = cardFunding(cells.text('Card Type'))
  const fees = {
    interchange: cells.fee('Interchange Total Amount'),
    schemeFee: cells.fee('Total Scheme Fees'),
    markup: 0,
    commission: cells.fee('Braintree Total Amount'),
  }
  return {
    type: 'payment',
    reference: cells.raw('Transaction ID'),
    cardNetwork,
    variant: variantOf(instrument, brand === '' ? '' : cardNetwork, funding),
    funding,
    issuerCountry: cells.text('Card Issuing Country'),
    currency: cells.text('Settlement Currency'),
    interchangeCategory: cells.text('Interchange Description'),
    interchangeRate: '',
    day: cells.day('Settlement Date', parseSlashedDay),
    channel: 'ecom',
    gross: cells.amount('Settlement Amount'),
    totalFee: totalOf(fees),
    ...fees,
    bin: '',
  }
}

/** Merchant financial report, fees positive (cost.md 5.2). */
export const braintree: ReportFormat = {
  connector: 'braintree',
  isPulled: false,
  required: [
    'Transaction ID',
    'Transaction Type',
    'Settlement Currency',
    'Settlement Amount',
    'Card Brand',
    'Card Type',
    'Payment Instrument',
    'Interchange Total Amount',
    'Braintree Total Amount',
  ],
  optional: ['Total Scheme Fees', 'Interchange Description', 'Card Issuing Country', 'Settlement Date', 'Payment Network'],
  groupsRecords: false,
  isFrame: noFrame,
  createParser: parserOfRecords(take),
}
