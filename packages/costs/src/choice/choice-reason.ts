import { assertNever } from '@switchyard/kernel'

/** Why the payment goes where it goes (cost.md 15.4). */
export type ChoiceCause =
  /** R1: nothing to choose from. */
  | { readonly cause: 'one-candidate' }
  /** R2 */
  | { readonly cause: 'no-score' }
  /** R3 */
  | { readonly cause: 'head-without-cost'; readonly head: string }
  /** The head costs what it earns or more: then a lower approval would look better. */
  | { readonly cause: 'head-without-profit'; readonly head: string }
  /** R4 */
  | { readonly cause: 'head-best'; readonly head: string; readonly rankedCount: number }
  /** R5 */
  | { readonly cause: 'promoted'; readonly head: string; readonly chosen: string; readonly savedBps: number; readonly authGivenUp: number }

const POINTS = 100

/** Says in a sentence why a payment goes where it goes. */
export const reasonOf = (why: ChoiceCause): string => {
  switch (why.cause) {
    case 'one-candidate':
      return 'only one candidate: there is nothing to reorder'
    case 'no-score':
      return 'the best score is no number: cost cannot be weighed against it'
    case 'head-without-cost':
      return `the cost of ${why.head} is unknown: it cannot be placed by expected value, the order by success rate is kept`
    case 'head-without-profit':
      return `${why.head} costs as much as the margin or more: success rate decides, ${why.head} is kept`
    case 'head-best':
      return `${why.head} is kept: it has the best expected value of ${why.rankedCount} ranked`
    case 'promoted':
      return `${why.chosen} chosen instead of ${why.head}: ${why.savedBps.toFixed(2)} bps cheaper for ${(why.authGivenUp * POINTS).toFixed(2)} pp of authorization`
    default:
      return assertNever(why)
  }
}
