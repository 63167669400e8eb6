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

/** The cells with one more member, in the finest one that there is or room for; undefined when there is none. */
export const placed = <Group, Cell extends Group>(
  cells: readonly Cell[],
  member: Group,
  { steps, isSame }: CellKind<Group>,
  cellOf: (group: Group, known: Cell | undefined) => Cell,
): readonly Cell[] | undefined => {
  for (const { cellsMax, narrowed } of steps) {
    const group = narrowed(member)
    const index = cells.findIndex((cell) => isSame(cell, group))
    const known = cells[index]
    if (known !== undefined) return cells.with(index, cellOf(group, known))
    if (cells.length < cellsMax) return [...cells, cellOf(group, undefined)]
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
