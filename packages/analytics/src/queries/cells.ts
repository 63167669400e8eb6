import type { DecisionCell } from '../rollups/decision-rollups.ts'
import type { Cluster } from '../rollups/score-rollups.ts'

/** Exact values that payments must have; undefined asks for nothing. */
export type DimensionFilter = { readonly [Dimension in keyof Cluster]: string | undefined }

/** Which payments are meant. An empty list of gateways asks for all. */
export interface PaymentScope {
  readonly dimensions: DimensionFilter
  readonly gateways: readonly string[]
}

/** In the order in which they are listed (analytics.md 2.4). */
export const DIMENSIONS: readonly (keyof Cluster)[] = [
  'paymentMethodType',
  'paymentMethod',
  'cardNetwork',
  'cardIsIn',
  'currency',
  'country',
  'authType',
]

/** A part of a minute that is about alike payments, with all their dimensions or with some left out. */
type Cell = Cluster & Pick<DecisionCell, 'gateway' | 'precision'>

/** Whether anything is asked of the payments. */
export const isFiltered = ({ dimensions, gateways }: PaymentScope): boolean =>
  gateways.length > 0 || DIMENSIONS.some((dimension) => dimensions[dimension] !== undefined)

/** Whether a cell says of all its payments what they have in this dimension. */
const isKept = ({ precision }: Pick<Cell, 'precision'>, dimension: keyof Cluster): boolean => {
  if (precision === 'full' || dimension === 'paymentMethodType' || dimension === 'paymentMethod') return true
  return precision === 'unbinned' && dimension !== 'cardIsIn'
}

/** Whether a cell is of the payments asked for; `unknown` when it left out what is asked for. */
export const matchOf = (cell: Cell, { dimensions, gateways }: PaymentScope): 'matches' | 'differs' | 'unknown' => {
  if (gateways.length > 0 && !gateways.includes(cell.gateway)) return 'differs'
  const asked = DIMENSIONS.filter((dimension) => dimensions[dimension] !== undefined)
  if (asked.some((dimension) => isKept(cell, dimension) && dimensions[dimension] !== cell[dimension])) return 'differs'
  return asked.every((dimension) => isKept(cell, dimension)) ? 'matches' : 'unknown'
}
