import { changedOf, examinedOf, type Group, type Tally } from './tally.ts'

const RATE_DIGITS = 6

/** Share of the approved among those with a final answer; null when there is none. */
const approvalRate = ({ approved, declined }: Group): number | null =>
  approved + declined === 0 ? null : Number((approved / (approved + declined)).toFixed(RATE_DIGITS))

const printGroup = (group: Group): object => ({
  payments: group.payments,
  approved: group.approved,
  declined: group.declined,
  approval_rate: approvalRate(group),
})

const lineOf = (value: object): string => `${JSON.stringify(value)}\n`

/** A line that tells how far a simulation has come. */
export const progressLine = (tally: Tally): string =>
  lineOf({ type: 'progress', examined: examinedOf(tally).payments, changed: changedOf(tally).payments })

/** The last line: what would have changed, the moves of most payments first. */
export const resultLine = (algorithmId: string, tally: Tally, truncated: boolean): string =>
  lineOf({
    type: 'result',
    routing_algorithm_id: algorithmId,
    examined: examinedOf(tally).payments,
    truncated,
    changed: printGroup(changedOf(tally)),
    unchanged: printGroup(tally.unchanged),
    not_evaluated: printGroup(tally.unanswered),
    moves: tally.moves.toSorted((a, b) => b.payments - a.payments).map(({ from, to, ...group }) => ({ from, to, ...printGroup(group) })),
    ...(tally.otherMoves.payments > 0 && { other_moves: printGroup(tally.otherMoves) }),
  })

/** The last line of a simulation that could not go on. */
export const failureLine = (message: string): string => lineOf({ type: 'error', code: 'TE_01', message })
