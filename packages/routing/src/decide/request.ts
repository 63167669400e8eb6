import type { RankingAlgorithm } from '@switchyard/events'
import type { DebitMetadata } from '../debit-routing/co-badged-card.ts'
import type { KnobPayment } from '../scoring/knobs.ts'

/** The payment of a decision. Values are as sent, null when absent; `cardIsIn` has at most eight digits. */
export interface PaymentDetails extends KnobPayment {
  readonly paymentId: string
  /** Major currency units. */
  readonly amount: number
  readonly cardType: string | null
  /** Values of user-defined fields by position; null where there is none. */
  readonly udfs: readonly (string | null)[] | null
  readonly preferredGateway: string | null
  /** What tells apart what payments cost, as sent: program of the card, country of its issuer, and where the card was. */
  readonly cardProgram: string | null
  readonly cardIssuerCountry: string | null
  readonly channel: string | null
}

/** A request for a decision. */
export interface DecisionRequest {
  readonly merchantId: string
  readonly requestId: string
  /** Epoch milliseconds. */
  readonly at: number
  /** Null behaves as the priority list. */
  readonly rankingAlgorithm: RankingAlgorithm | null
  /** The gateways that may be chosen, as sent. */
  readonly candidates: readonly string[]
  readonly eliminationRequested: boolean | null
  readonly multiObjectiveRequested: boolean | null
  readonly payment: PaymentDetails
  /** What the metadata say about debit routing; null when they were not asked for. */
  readonly debit: DebitMetadata | null
}
