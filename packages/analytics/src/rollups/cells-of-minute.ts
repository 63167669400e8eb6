import type { Cluster } from './score-rollups.ts'

/** How much of its dimensions a cell keeps: `unbinned` no first digits of the card, `coarse` only method type and method. */
export type Precision = 'full' | 'unbinned' | 'coarse'

/** What a minute with too many kinds gives up last. */
export const COARSE_CLUSTER = {
  precision: 'coarse',
  cardNetwork: null,
  cardIsIn: null,
  currency: null,
  country: null,
  authType: null,
} as const

/** What it gives up first. */
export const UNBINNED_CLUSTER = { precision: 'unbinned', cardIsIn: null } as const

/** How many cells there may be for groups that are told apart so finely; steps go from the finest on. */
export interface CellStep<Group> {
  readonly cellsMax: number
  readonly narrowed: (group: Group) => Group
}

/** Which cells a minute has. */
export interface CellKind<Group> {
  readonly steps: readonly CellStep<Group>[]
  readonly isSame: (a: Group, b: Group) => boolean
}

/** Where a member is counted: in the cell of this index, of which there may be none yet, with what it keeps of its dimensions. */
export interface Place<Group> {
  readonly index: number
  readonly group: Group
}

/** The finest cell that there is for a member or room for; undefined when there is none. */
export const placeOf = <Group>(cells: readonly Group[], member: Group, { steps, isSame }: CellKind<Group>): Place<Group> | undefined => {
  for (const { cellsMax, narrowed } of steps) {
    const group = narrowed(member)
    const index = cells.findIndex((cell) => isSame(cell, group))
    if (index >= 0) return { index, group }
    if (cells.length < cellsMax) return { index: cells.length, group }
  }
  return undefined
}

/** Whether payments are alike in every dimension. */
export const isSameCluster = (a: Cluster, b: Cluster): boolean =>
  a.paymentMethodType === b.paymentMethodType &&
  a.paymentMethod === b.paymentMethod &&
  a.cardNetwork === b.cardNetwork &&
  a.cardIsIn === b.cardIsIn &&
  a.currency === b.currency &&
  a.country === b.country &&
  a.authType === b.authType
