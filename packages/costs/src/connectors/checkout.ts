import type { FeeParts, PaymentKind, SettledPayment } from '../reports/canonical-row.ts'
import { totalOf } from '../reports/canonical-row.ts'
import { type Day, parseIsoDay } from '../reports/day.ts'
import { detached } from '../reports/detached.ts'
import { namedFunding } from '../reports/funding.ts'
import { networkOf } from '../reports/network-labels.ts'
import type { ReportCells } from '../reports/report-cells.ts'
import { noFrame, type ReportFormat, type RowParser } from '../reports/report-format.ts'

/** Payments of one file that are kept until its end. */
const GROUPED_PAYMENT_COUNT_MAX = 1_000_000

const NOT_OF_A_SALE: ReadonlySet<string> = new Set(['refund', 'partial refund', 'void'])
const CAPTURES: ReadonlySet<string> = new Set(['capture', 'partial capture'])

interface Capture extends PaymentKind {
  readonly day: Day | null
}

interface Group {
  readonly reference: string
  readonly currency: string
  capture: Capture | undefined
  gross: number
  readonly fees: { -readonly [part in keyof FeeParts]: number }
  /** One of its records can't be read, so none of it is used. */
  isBroken: boolean
}

/** Which part of the fee a breakdown is; undefined for what is no fee: chargebacks, adjustments, payouts. */
const partOf = (breakdown: string): keyof FeeParts | undefined => {
  if (breakdown.startsWith('interchange')) return 'interchange'
  if (breakdown.startsWith('scheme ')) return 'schemeFee'
  return breakdown.endsWith('fee') || breakdown.endsWith('fees') ? 'commission' : undefined
}

const capitalized = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1).toLowerCase()

const captureOf = (cells: ReportCells, currency: string): Capture => {
  const cardNetwork = detached(networkOf(cells.text('Payment Method')))
  const funding = namedFunding(cells.text('Card Type'))
  return {
    cardNetwork,
    variant: cardNetwork + funding,
    funding,
    issuerCountry: detached(cells.text('Issuer Country')),
    currency,
    interchangeCategory: detached(capitalized(cells.text('Card Category'))),
    day: cells.day('Processed On', parseIsoDay),
  }
}

const rowOf = ({ reference, gross, fees }: Group, capture: Capture): SettledPayment => ({
  type: 'payment',
  reference,
  ...capture,
  interchangeRate: '',
  channel: 'ecom',
  gross,
  totalFee: totalOf(fees),
  ...fees,
  bin: '',
})

/** Collects the records of each payment. */
class PaymentGroups {
  readonly #groups: Map<string, Group> = new Map()

  add(cells: ReportCells): void {
    const reference = cells.text('Payment ID')
    if (reference === '' || NOT_OF_A_SALE.has(cells.lower('Action Type'))) return
    const breakdown = cells.lower('Breakdown Type')
    const part = partOf(breakdown)
    if (part === undefined && !CAPTURES.has(breakdown)) return
    const group = this.#groupOf(reference, cells)
    if (group === undefined) return
    const amount = cells.amount('Holding Currency Amount')
    if (part === undefined) {
      group.gross += amount
      group.capture = captureOf(cells, group.currency)
    } else group.fees[part] -= amount
    group.isBroken ||= cells.problem !== undefined
  }

  /** Captured payments, without those whose interchange is still to come: others of their network have it. */
  complete(): readonly SettledPayment[] {
    const rows = [...this.#groups.values()].flatMap((group) => (group.capture && !group.isBroken ? [rowOf(group, group.capture)] : []))
    const withInterchange = new Set(rows.filter(({ interchange }) => interchange > 0).map(({ cardNetwork }) => cardNetwork))
    return rows.filter(({ interchange, cardNetwork }) => interchange !== 0 || !withInterchange.has(cardNetwork))
  }

  #groupOf(reference: string, cells: ReportCells): Group | undefined {
    const currency = cells.text('Holding Currency')
    const known = this.#groups.get(reference)
    if (known !== undefined) {
      if (known.currency.toLowerCase() !== currency.toLowerCase()) {
        known.isBroken = true
        cells.refuse('Holding Currency', 'is another one than on earlier lines of this payment')
      }
      return known
    }
    if (this.#groups.size >= GROUPED_PAYMENT_COUNT_MAX) {
      cells.refuse('Payment ID', `is one too many: a file may hold ${GROUPED_PAYMENT_COUNT_MAX} payments`)
      return undefined
    }
    const fees = { interchange: 0, schemeFee: 0, markup: 0, commission: 0 }
    const kept = detached(reference)
    const group: Group = { reference: kept, currency: detached(currency), capture: undefined, gross: 0, fees, isBroken: false }
    this.#groups.set(kept, group)
    return group
  }
}

const createParser = (): RowParser => {
  const groups = new PaymentGroups()
  return {
    take: (cells) => {
      groups.add(cells)
      return null
    },
    finish: () => groups.complete(),
  }
}

/** Financial actions, several records a payment, costs negative (cost.md 5.4). */
export const checkout: ReportFormat = {
  connector: 'checkout',
  isPulled: false,
  required: [
    'Payment ID',
    'Action Type',
    'Breakdown Type',
    'Holding Currency',
    'Holding Currency Amount',
    'Payment Method',
    'Card Type',
    'Issuer Country',
    'Processed On',
  ],
  optional: ['Card Category'],
  groupsRecords: true,
  isFrame: noFrame,
  createParser,
}
