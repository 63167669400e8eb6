import { type Funding, type SettledPayment, totalOf } from '../reports/canonical-row.ts'
import { parseSlashedDay } from '../reports/day.ts'
import type { ReportCells } from '../reports/report-cells.ts'
import { parserOfRecords, type ReportFormat } from '../reports/report-format.ts'

const NETWORKS: ReadonlyMap<string, string> = new Map([
  ['vi', 'visa'],
  ['mc', 'mc'],
  ['ax', 'amex'],
  ['di', 'discover'],
  ['jc', 'jcb'],
  ['dc', 'diners'],
])

const CREDIT_CODES = 'V148 V105 VBL2 VPDM V987 VINT V5FI MCRW MX29 MM1 MIP MIC MHB2 MHB4 AXSP DIRW D460 D361 DDEM DCEC DCED DPEC'.split(' ')
const DEBIT_CODES = 'VSDD VCEB V2DB MDIN'.split(' ')

const FUNDING_BY_CODE: ReadonlyMap<string, Funding> = new Map([
  ...CREDIT_CODES.map((code): [string, Funding] => [code, 'credit']),
  ...DEBIT_CODES.map((code): [string, Funding] => [code, 'debit']),
])

const FUNDING_BY_USAGE: ReadonlyMap<string, Funding> = new Map([
  ['1', 'debit'],
  ['2', 'debit'],
  ['3', 'credit'],
])

const variantOf = (wallet: string, network: string, funding: Funding): string => {
  if (wallet.includes('apple')) return `${network}_applepay`
  return wallet.includes('google') ? `${network}_googlepay` : network + funding
}

/** Value and fees of such a payment are in two currencies: they say nothing about a rate. */
const isConverted = (cells: ReportCells): boolean => {
  const presented = cells.lower('Presentment Currency Code')
  return presented !== '' && presented !== cells.lower('Settlement Currency Code')
}

const take = (cells: ReportCells): SettledPayment | null => {
  if (cells.raw('Action Type Code Text').toUpperCase() !== 'SALE' || isConverted(cells)) return null
  const code = cells.lower('Payment Method Code')
  const cardNetwork = NETWORKS.get(code) ?? code
  const category = cells.text('Interchange Qualification Code')
  const funding = FUNDING_BY_CODE.get(category) ?? FUNDING_BY_USAGE.get(cells.raw('Card Usage Type')) ?? ''
  // Costs are negative in this report; 0 - x, so that nothing stays 0 and does not become -0.
  const fees = {
    interchange: 0 - cells.fee('Total Interchange Amount'),
    schemeFee: 0 - cells.fee('Total Assessment Amount'),
    markup: 0 - cells.fee('Other Debit Passthrough Fees'),
    commission: 0,
  }
  return {
    type: 'payment',
    reference: cells.raw('Merchant Order Number'),
    cardNetwork,
    variant: variantOf(cells.lower('Digital Wallet Brand'), cardNetwork, funding),
    funding,
    issuerCountry: cells.text('Country of Issuance'),
    currency: cells.text('Settlement Currency Code'),
    interchangeCategory: category,
    interchangeRate: '',
    day: cells.day('Submission Date', parseSlashedDay),
    channel: cells.raw('Terminal Identifier') === '' ? 'ecom' : 'pos',
    gross: cells.amount('Transaction Amount in Presentment Currency'),
    totalFee: totalOf(fees),
    ...fees,
    bin: '',
  }
}

/**
 * Deposit details between frame lines (cost.md 5.3). The acquirer's own discount is not in the report: what is learned from
 * it is too low by that, which an invoice or an override can tell.
 */
export const chase: ReportFormat = {
  connector: 'chase',
  isPulled: true,
  required: [
    'Merchant Order Number',
    'Action Type Code Text',
    'Payment Method Code',
    'Card Usage Type',
    'Country of Issuance',
    'Settlement Currency Code',
    'Interchange Qualification Code',
    'Transaction Amount in Presentment Currency',
    'Total Interchange Amount',
    'Total Assessment Amount',
  ],
  optional: ['Other Debit Passthrough Fees', 'Digital Wallet Brand', 'Submission Date', 'Terminal Identifier', 'Presentment Currency Code'],
  groupsRecords: false,
  isFrame: ([first = '', ...rest]) => {
    const start = first.replace(/^\uFEFF/, '')
    return (rest.length > 0 && (start === 'BEGIN' || start === 'END')) || start.startsWith('EntityId=')
  },
  createParser: parserOfRecords(take),
}
