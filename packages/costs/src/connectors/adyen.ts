import { type SettledPayment, totalOf } from '../reports/canonical-row.ts'
import { type Day, parseIsoDay } from '../reports/day.ts'
import { fundingOf } from '../reports/funding.ts'
import { remembering } from '../reports/remembered.ts'
import { CELL_LENGTH_MAX, type ReportCells } from '../reports/report-cells.ts'
import { noFrame, type ReportFormat } from '../reports/report-format.ts'

/** Other lines of a payment's life repeat the same money. */
const SETTLED = 'Settled'
const DETAILS_LENGTH_MAX = 16_384
const [ZERO, NINE] = [0x30, 0x39] as const
const BIN_DIGITS_MAX = 8
/** Share of a fee that adding up its parts may leave of nothing. */
const ROUNDING_MAX = 8 * Number.EPSILON
/** `YYYY-MM-DD`. */
const DATE_LENGTH = 10

interface Interchange {
  readonly category: string
  /** Published rate; undefined when the details have none. */
  readonly rateBps: number | undefined
  /** The same in whole bps as text; empty unless above zero. */
  readonly rate: string
}

const NO_INTERCHANGE: Interchange = { category: '', rateBps: undefined, rate: '' }

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The published rate of a part of the details; NaN when something else stands there. */
const rateOf = (part: object): number | undefined => {
  if (!('bps' in part) || part.bps === null || part.bps === '') return undefined
  return typeof part.bps === 'string' || typeof part.bps === 'number' ? Number(part.bps) : Number.NaN
}

const interchangeOf = (part: object): Interchange => {
  const rateBps = rateOf(part)
  return {
    category: 'n' in part && typeof part.n === 'string' ? part.n.trim() : '',
    rateBps,
    rate: rateBps !== undefined && Math.round(rateBps) > 0 ? String(Math.round(rateBps)) : '',
  }
}

const isInterchange = (part: unknown): part is object => typeof part === 'object' && part !== null && 't' in part && part.t === 'ic'

/** What details tell; undefined when they are no JSON array. */
const parseDetails = (text: string): Interchange | undefined => {
  const parts = text.length <= DETAILS_LENGTH_MAX ? parseJson(text) : undefined
  if (!Array.isArray(parts)) return undefined
  const part: unknown = parts.find(isInterchange)
  return isInterchange(part) ? interchangeOf(part) : NO_INTERCHANGE
}

/** The first digits of a card number whose others are hidden. */
const leadingDigits = (text: string): string => {
  let count = 0
  while (count < BIN_DIGITS_MAX && text.charCodeAt(count) >= ZERO && text.charCodeAt(count) <= NINE) count += 1
  return text.slice(0, count)
}

const readDetails = (cells: ReportCells, parse: typeof parseDetails): Interchange => {
  const text = cells.whole('ICSF details')
  if (text === '') return NO_INTERCHANGE
  const found = parse(text)
  if (found === undefined) {
    cells.refuse('ICSF details', 'is no JSON array')
    return NO_INTERCHANGE
  }
  if (Number.isNaN(found.rateBps)) cells.refuse('ICSF details', 'holds an interchange rate that is no number')
  if (found.category.length > CELL_LENGTH_MAX) cells.refuse('ICSF details', `holds a category of more than ${CELL_LENGTH_MAX} characters`)
  return found
}

/** The value of a payment: what is paid out is net of the fees. One of zero is no tiny amount, of which a fee would be an immense share. */
const grossOf = (payable: number, totalFee: number): number => {
  const gross = payable + totalFee
  return Math.abs(gross) <= ROUNDING_MAX * Math.abs(totalFee) ? 0 : gross
}

/** What is parsed of cells that are the same in many records. */
interface Parsers {
  readonly details: typeof parseDetails
  readonly day: (text: string) => Day | undefined
}

const take = (cells: ReportCells, parsers: Parsers): SettledPayment | null => {
  if (cells.raw('Record Type') !== SETTLED) return null
  const { category, rateBps, rate } = readDetails(cells, parsers.details)
  const variant = cells.lower('Payment Method Variant')
  const interchange = cells.fee('Interchange (SC)')
  const schemeFee = cells.fee('Scheme Fees (SC)')
  const markup = cells.fee('Markup (SC)')
  const commission = cells.fee('Commission (SC)')
  const totalFee = totalOf({ interchange, schemeFee, markup, commission })
  return {
    type: 'payment',
    reference: cells.raw('Psp Reference'),
    cardNetwork: cells.lower('Global Card Brand'),
    variant,
    funding: fundingOf(variant, rateBps),
    issuerCountry: cells.text('Issuer Country'),
    currency: cells.text('Settlement Currency'),
    interchangeCategory: category,
    interchangeRate: rate,
    day: cells.day('Booking Date', parsers.day),
    channel: cells.raw('Unique Terminal ID') === '' ? 'ecom' : 'pos',
    gross: grossOf(cells.amount('Payable (SC)'), totalFee),
    totalFee,
    interchange,
    schemeFee,
    markup,
    commission,
    bin: leadingDigits(cells.raw('Card Number')),
  }
}

/** Payment accounting report, fees positive (cost.md 5.1). */
export const adyen: ReportFormat = {
  connector: 'adyen',
  isPulled: false,
  required: [
    'Record Type',
    'Psp Reference',
    'Payment Method Variant',
    'Global Card Brand',
    'Issuer Country',
    'Settlement Currency',
    'Payable (SC)',
    'Commission (SC)',
    'Markup (SC)',
    'Scheme Fees (SC)',
    'Interchange (SC)',
    'ICSF details',
  ],
  optional: ['Booking Date', 'Unique Terminal ID', 'Card Number'],
  groupsRecords: false,
  isFrame: noFrame,
  createParser: () => {
    const dayOf = remembering(parseIsoDay)
    // The time of the day behind it is another one in nearly every record.
    const parsers = { details: remembering(parseDetails), day: (text: string) => dayOf(text.slice(0, DATE_LENGTH)) }
    return { take: (cells) => take(cells, parsers), finish: () => [] }
  },
}
