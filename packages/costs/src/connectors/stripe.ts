import type { Channel, FeeTotal } from '../reports/canonical-row.ts'
import { parseMonth } from '../reports/day.ts'
import { namedFunding } from '../reports/funding.ts'
import { networkOf } from '../reports/network-labels.ts'
import type { ReportCells } from '../reports/report-cells.ts'
import { noFrame, parserOfRecords, type ReportFormat } from '../reports/report-format.ts'

const channelOf = (interaction: string): Channel => (/pos|card ?present/.test(interaction) ? 'pos' : 'ecom')

/** The one currency of a line; a turnover and a cost in two of them can't be compared. */
const currencyOf = (cells: ReportCells): string => {
  const turnover = cells.text('Gross Ccy')
  const cost = cells.text('Cost Ccy')
  if (turnover !== '' && cost !== '' && turnover.toLowerCase() !== cost.toLowerCase()) {
    cells.refuse('Cost Ccy', 'is another currency than that of the turnover')
  }
  return turnover || cost
}

/** What does not depend on the amounts: as the report splits the cost, or what the variable part leaves of it. */
const fixedCostOf = (cells: ReportCells, cost: number): number | null => {
  const fixed = cells.optionalAmount('Fixed Fee')
  const variable = cells.optionalAmount('Variable Fee')
  if (fixed !== null) return fixed
  return variable === null ? null : cost - variable
}

const countOf = (cells: ReportCells): number | null => {
  const count = cells.optionalAmount('Transaction Count')
  if (count !== null && (count < 0 || !Number.isInteger(count))) cells.refuse('Transaction Count', 'is no whole number')
  return count
}

const take = (cells: ReportCells): FeeTotal | null => {
  if (cells.raw('Refund Flag').toLowerCase() !== 'settle') return null
  const cost = cells.amount('Cost Qty')
  return {
    type: 'total',
    cardNetwork: networkOf(cells.text('Card Brand')),
    variant: cells.lower('Payment Method Variant'),
    funding: namedFunding(cells.text('Funding Source')),
    issuerCountry: '',
    currency: currencyOf(cells),
    interchangeCategory: '',
    day: cells.day('Month', parseMonth),
    channel: channelOf(cells.lower('Shopper Interaction')),
    feeName: cells.text('Fee Name'),
    turnover: cells.amount('Gross Qty'),
    cost,
    fixedCost: fixedCostOf(cells, cost),
    count: countOf(cells),
  }
}

/** Fees of whole months by kind of payment (cost.md 5.5): totals, no payments. */
export const stripe: ReportFormat = {
  connector: 'stripe',
  isPulled: false,
  required: [
    'Card Brand',
    'Shopper Interaction',
    'Funding Source',
    'Payment Method Variant',
    'Gross Qty',
    'Cost Qty',
    'Refund Flag',
    'Gross Ccy',
  ],
  optional: ['Cost Ccy', 'Month', 'Fee Name', 'Variable Fee', 'Fixed Fee', 'Transaction Count'],
  groupsRecords: false,
  isFrame: noFrame,
  createParser: parserOfRecords(take),
}
