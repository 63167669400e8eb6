import type { FeeParts, PaymentKind, SettledPayment } from '../reports/canonical-row.ts'
import { totalOf } from '../reports/canonical-row.ts'
import { type Day, parseIsoDay } from '../reports/day.ts'
import { detached } from '../reports/detached.ts'
import { namedFunding } from '../reports/funding.ts'
import { networkOf } from '../reports/network-labels.ts'
import { remembering } from '../reports/remembered.ts'
import type { ReportCells } from '../reports/report-cells.ts'
import { noFrame, type ReportFormat, type RowParser } from '../reports/report-format.ts'

/** Payments of one file that are kept until its end, and the characters of their texts together: several times what usual ones have. */
const GROUPED_PAYMENT_COUNT_MAX = 1_000_000
const GROUPED_CHARACTER_COUNT_MAX = 100_000_000

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

/** Keeps a text once: payments have few kinds. */
type Share = (text: string) => string

const captureOf = (cells: ReportCells, currency: string, shared: Share): Capture => {
  const cardNetwork = shared(networkOf(cells.text('Payment Method')))
  const funding = namedFunding(cells.text('Card Type'))
  return {
    cardNetwork,
    variant: shared(cardNetwork + funding),
    funding,
    issuerCountry: shared(cells.text('Issuer Country')),
    currency,
    interchangeCategory: shared(capitalized(cells.text('Card Category'))),
    day: cells.day('Processed On', parseIsoDay),
  }
}

const characterCountOf = ({ cardNetwork, variant, issuerCountry, interchangeCategory }: Capture): number =>
  cardNetwork.length + variant.length + issuerCountry.length + interchangeCategory.length

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
  readonly #shared: Share = remembering(detached)
  readonly #characterCountMax: number
  #characterCount = 0

  constructor(characterCountMax: number) {
    this.#characterCountMax = characterCountMax
  }

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
      this.#capture(group, cells)
    } else group.fees[part] -= amount
    group.isBroken ||= cells.problem !== undefined
  }

  /** Captured payments, without those whose interchange is still to come: others of their network have it. One by one: all together are as large as what is kept. */
  *complete(): Generator<SettledPayment> {
    const withInterchange = new Set<string>()
    for (const { interchange, cardNetwork } of this.#captured()) if (interchange > 0) withInterchange.add(cardNetwork)
    for (const row of this.#captured()) if (row.interchange !== 0 || !withInterchange.has(row.cardNetwork)) yield row
  }

  *#captured(): Generator<SettledPayment> {
    for (const group of this.#groups.values()) if (group.capture && !group.isBroken) yield rowOf(group, group.capture)
  }

  #capture(group: Group, cells: ReportCells): void {
    const capture = captureOf(cells, group.currency, this.#shared)
    const more = characterCountOf(capture) - (group.capture === undefined ? 0 : characterCountOf(group.capture))
    if (this.#hasRoomFor(more, cells)) group.capture = capture
  }

  #hasRoomFor(characterCount: number, cells: ReportCells): boolean {
    this.#characterCount += characterCount
    if (this.#characterCount <= this.#characterCountMax) return true
    this.#characterCount -= characterCount
    cells.refuse('Payment ID', `is too much: payments of a file may hold ${this.#characterCountMax} characters together`)
    return false
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
    if (!this.#hasRoomFor(reference.length, cells)) return undefined
    const fees = { interchange: 0, schemeFee: 0, markup: 0, commission: 0 }
    const kept = detached(reference)
    const group: Group = { reference: kept, currency: this.#shared(currency), capture: undefined, gross: 0, fees, isBroken: false }
    this.#groups.set(kept, group)
    return group
  }
}

/** The parser of a file; with what the texts of its payments may have together, in characters. */
export const createCheckoutParser = (characterCountMax: number = GROUPED_CHARACTER_COUNT_MAX): RowParser => {
  const groups = new PaymentGroups(characterCountMax)
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
  createParser: () => createCheckoutParser(),
}
