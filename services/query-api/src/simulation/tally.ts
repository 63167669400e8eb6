import { MOVE_COUNT_MAX } from '../limits.ts'

/** Payments and what came of them. */
export interface Group {
  readonly payments: number
  readonly approved: number
  readonly declined: number
}

/** Payments that would have gone from one gateway to another. */
export interface Move extends Group {
  readonly from: string
  readonly to: string
}

/** What a simulation has found so far. */
export interface Tally {
  readonly unchanged: Group
  /** The first {@link MOVE_COUNT_MAX} pairs of gateways. */
  readonly moves: readonly Move[]
  /** Payments of further pairs. */
  readonly otherMoves: Group
  /** Payments for which the algorithm has no answer. */
  readonly unanswered: Group
}

const NONE: Group = { payments: 0, approved: 0, declined: 0 }

export const EMPTY_TALLY: Tally = { unchanged: NONE, moves: [], otherMoves: NONE, unanswered: NONE }

/** Both groups together. */
const sumOf = (a: Group, b: Group): Group => ({
  payments: a.payments + b.payments,
  approved: a.approved + b.approved,
  declined: a.declined + b.declined,
})

/** All payments that would have changed. */
export const changedOf = ({ moves, otherMoves }: Tally): Group => moves.reduce<Group>(sumOf, otherMoves)

/** All payments of a tally. */
export const examinedOf = (tally: Tally): Group => sumOf(sumOf(tally.unchanged, tally.unanswered), changedOf(tally))

const withMove = (tally: Tally, move: Move): Tally => {
  const known = tally.moves.findIndex(({ from, to }) => from === move.from && to === move.to)
  const before = tally.moves[known]
  if (before !== undefined) return { ...tally, moves: tally.moves.with(known, { ...move, ...sumOf(before, move) }) }
  return tally.moves.length < MOVE_COUNT_MAX
    ? { ...tally, moves: [...tally.moves, move] }
    : { ...tally, otherMoves: sumOf(tally.otherMoves, move) }
}

/** Adds one tally to another. */
export const merged = (a: Tally, b: Tally): Tally =>
  b.moves.reduce(withMove, {
    ...a,
    unchanged: sumOf(a.unchanged, b.unchanged),
    otherMoves: sumOf(a.otherMoves, b.otherMoves),
    unanswered: sumOf(a.unanswered, b.unanswered),
  })

/** Adds a payment: where it went and where it would have gone; undefined when the algorithm has no answer. */
export const withPayment = (tally: Tally, from: string, to: string | undefined, isApproved: boolean | null): Tally => {
  const one: Group = { payments: 1, approved: isApproved === true ? 1 : 0, declined: isApproved === false ? 1 : 0 }
  if (to === undefined) return { ...tally, unanswered: sumOf(tally.unanswered, one) }
  return from === to ? { ...tally, unchanged: sumOf(tally.unchanged, one) } : withMove(tally, { from, to, ...one })
}
