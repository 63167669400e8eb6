import type { ExperimentEffect } from '../recorded-payment.ts'

const BPS = 10_000

/** What payments of an arm cost and saved, bps of their amounts: sums over payments whose end is known. */
export interface ArmCosts {
  /** Payments whose cost is known. */
  readonly pricedCount: number
  readonly costBpsSum: number
  /** Payments whose cost was weighed. */
  readonly weighedCount: number
  readonly savedBpsSum: number
  /** Of approved payments alone, and of their squares. */
  readonly approvedSavedBpsSum: number
  readonly approvedSavedBpsSquareSum: number
}

/** What approved payments of a currency cost; money in its major units. */
export interface ApprovedCosts {
  /** Payments whose cost is known, what they are worth, and what they cost. */
  readonly pricedCount: number
  readonly pricedAmount: number
  readonly cost: number
  /** Payments whose cost was weighed, and what that saved. */
  readonly weighedCount: number
  readonly saving: number
}

const one = (isSo: boolean): number => (isSo ? 1 : 0)

/** Every sum at its beginning. */
export const NO_COSTS: ArmCosts = {
  pricedCount: 0,
  costBpsSum: 0,
  weighedCount: 0,
  savedBpsSum: 0,
  approvedSavedBpsSum: 0,
  approvedSavedBpsSquareSum: 0,
}

/** A payment is priced when its end becomes known; what an approval saved counts when it is one, also after a failure. */
export const withCosts = (costs: ArmCosts, { before, standing, costBps, savedBps }: ExperimentEffect): ArmCosts => {
  const isFirst = before === 'open'
  const approvedSaved = standing === 'succeeded' ? (savedBps ?? 0) : 0
  return {
    pricedCount: costs.pricedCount + one(isFirst && costBps !== null),
    costBpsSum: costs.costBpsSum + (isFirst ? (costBps ?? 0) : 0),
    weighedCount: costs.weighedCount + one(isFirst && savedBps !== null),
    savedBpsSum: costs.savedBpsSum + (isFirst ? (savedBps ?? 0) : 0),
    approvedSavedBpsSum: costs.approvedSavedBpsSum + approvedSaved,
    approvedSavedBpsSquareSum: costs.approvedSavedBpsSquareSum + approvedSaved * approvedSaved,
  }
}

/** Whether the end of a payment became known, and what it cost is. */
export const isPriced = ({ before, costBps, savedBps }: ExperimentEffect): boolean =>
  before !== null && (costBps !== null || savedBps !== null)

/** Every sum at its beginning. */
export const NO_APPROVED_COSTS: ApprovedCosts = { pricedCount: 0, pricedAmount: 0, cost: 0, weighedCount: 0, saving: 0 }

/** One more approved payment. */
export const withApprovedCosts = (costs: ApprovedCosts, { amount, costBps, savedBps }: ExperimentEffect): ApprovedCosts => ({
  pricedCount: costs.pricedCount + one(costBps !== null),
  pricedAmount: costs.pricedAmount + (costBps === null ? 0 : amount),
  cost: costs.cost + ((costBps ?? 0) / BPS) * amount,
  weighedCount: costs.weighedCount + one(savedBps !== null),
  saving: costs.saving + ((savedBps ?? 0) / BPS) * amount,
})

/** Two disjoint parts of an arm together. */
export const addArmCosts = (a: ArmCosts, b: ArmCosts): ArmCosts => ({
  pricedCount: a.pricedCount + b.pricedCount,
  costBpsSum: a.costBpsSum + b.costBpsSum,
  weighedCount: a.weighedCount + b.weighedCount,
  savedBpsSum: a.savedBpsSum + b.savedBpsSum,
  approvedSavedBpsSum: a.approvedSavedBpsSum + b.approvedSavedBpsSum,
  approvedSavedBpsSquareSum: a.approvedSavedBpsSquareSum + b.approvedSavedBpsSquareSum,
})

/** Two disjoint parts of the approved payments of a currency together. */
export const addApprovedCosts = (a: ApprovedCosts, b: ApprovedCosts): ApprovedCosts => ({
  pricedCount: a.pricedCount + b.pricedCount,
  pricedAmount: a.pricedAmount + b.pricedAmount,
  cost: a.cost + b.cost,
  weighedCount: a.weighedCount + b.weighedCount,
  saving: a.saving + b.saving,
})
