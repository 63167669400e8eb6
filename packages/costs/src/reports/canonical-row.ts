import type { Day } from './day.ts'

/** What a card is funded by; empty when the report does not tell. */
export type Funding = 'debit' | 'credit' | 'prepaid' | 'commercial' | ''

/** Where the card was: at a terminal or not. */
export type Channel = 'pos' | 'ecom'

/** What tells payments of one account apart before their card product is known. Country and currency as the report spells them. */
export interface PaymentKind {
  /** Lower case: `visa`, `mc`, `amex` ...; empty for what is no card. */
  readonly cardNetwork: string
  /** Lower case: `visastandarddebit`, `mc_applepay` ... */
  readonly variant: string
  readonly funding: Funding
  readonly issuerCountry: string
  /** Settlement currency. Amounts of different ones are never added. */
  readonly currency: string
  /** Label of the interchange category; empty when there is none. */
  readonly interchangeCategory: string
}

/** The parts of a fee, positive costs in major units of the row's currency. */
export interface FeeParts {
  readonly interchange: number
  readonly schemeFee: number
  readonly markup: number
  readonly commission: number
}

/** One settled payment of a report, the same for every connector (cost.md 4). */
export interface SettledPayment extends PaymentKind, FeeParts {
  readonly type: 'payment'
  /** Where it came from; payments are never told apart by it. */
  readonly reference: string
  /** Published interchange rate, whole bps as text; empty when absent or not above zero. */
  readonly interchangeRate: string
  /** Null: the day on which the report is taken in. */
  readonly day: Day | null
  readonly channel: Channel
  /** Value of the payment, major units. */
  readonly gross: number
  /** Sum of the four parts. */
  readonly totalFee: number
  /** Leading digits of the card number, at most eight. */
  readonly bin: string
}

/** One line of a report that tells sums only: a fee of all payments of a kind in a period (cost.md 5.5). */
export interface FeeTotal extends PaymentKind {
  readonly type: 'total'
  readonly day: Day | null
  readonly channel: Channel
  /** Names the fee; the turnover of a kind and day stands beside each of its fees. */
  readonly feeName: string
  readonly turnover: number
  readonly cost: number
  /** Share of the cost that does not depend on the amounts; null when the report does not split it. */
  readonly fixedCost: number | null
  /** Payments behind the line; null when the report does not count them. */
  readonly count: number | null
}

/** What a line of a report becomes. */
export type ReportRow = SettledPayment | FeeTotal

/** Sum of the parts of a fee. */
export const totalOf = ({ interchange, schemeFee, markup, commission }: FeeParts): number => interchange + schemeFee + markup + commission
