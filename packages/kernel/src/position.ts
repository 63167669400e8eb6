import { assert } from './assert.ts'

/**
 * Where a record stands in its topic. Offsets grow within a partition but need not be dense, and say nothing across
 * partitions: compare positions only through {@link isAfter}.
 */
export interface Position {
  readonly partition: number
  readonly offset: number
}

/** For each partition the offset of the last record included; a partition that is absent starts before its first record. */
export type Positions = ReadonlyMap<number, number>

/** The offset that stands before the first record of every partition. */
export const BEFORE_FIRST = -1

/** Whether `position` stands behind `other` in the same partition. */
export const isAfter = (position: Position, other: Position): boolean => {
  assert(position.partition === other.partition, 'positions of two partitions have no order')
  return position.offset > other.offset
}

/** Whether a reader that has included `positions` has included `position` too. */
export const includes = (positions: Positions, position: Position): boolean =>
  (positions.get(position.partition) ?? BEFORE_FIRST) >= position.offset
