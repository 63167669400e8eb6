import type { CostChoice } from '@switchyard/events'
import type { PaymentDetails } from './request.ts'

/** A payment whose approvals and costs are to be weighed. */
export interface Weighing {
  readonly merchantId: string
  readonly payment: PaymentDetails
  readonly candidates: readonly string[]
  /** Expected share of approvals of each candidate, in their order. */
  readonly authRates: readonly number[]
  /** Candidates that are down: nothing moves a payment there. */
  readonly down: readonly string[]
  /** Share of the amount that an approved payment earns. */
  readonly margin: number
}

/** What the weighing led to. */
export interface WeighedCosts {
  readonly choice: CostChoice
  /** The other candidates in the order in which they are to be tried; empty when nothing was decided. */
  readonly fallbacks: readonly string[]
  /** Why, for people. */
  readonly reason: string
}

/**
 * What a payment costs on candidates, in their order, bps of its amount; null where nothing tells. Null when nothing tells of any
 * of them; given by whoever knows costs.
 */
export type PriceCosts = (weighing: Pick<Weighing, 'merchantId' | 'payment' | 'candidates'>) => readonly (number | null)[] | null

/** Weighs approval and cost; given by whoever knows costs. */
export type WeighCosts = (weighing: Weighing) => WeighedCosts
