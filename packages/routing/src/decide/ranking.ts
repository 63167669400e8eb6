import { hash53 } from '@switchyard/kernel'

/** Gateways that a request may name; priority scores stay above zero up to this many. */
export const CANDIDATE_COUNT_MAX = 100

const TIE_SALT = 'tie'

/** Most candidates that are ranked by insertion, which takes the square of their number. */
const INSERTED_COUNT_MAX = 16

/** Not mapped: a list that is made anew has to become one of numbers as large as these each time. */
const tiesOf = (paymentId: string, candidates: readonly string[]): readonly number[] => {
  const ties = new Array<number>(candidates.length)
  for (let index = 0; index < candidates.length; index++) ties[index] = hash53(TIE_SALT, paymentId, candidates[index] ?? '')
  return ties
}

const NO_TIES: readonly number[] = []

/** With many candidates that score alike, hashing is most of the work: nobody needs it where no two are equal. */
const hasEqual = (scores: readonly number[]): boolean => {
  if (scores.length > INSERTED_COUNT_MAX) return new Set(scores).size < scores.length
  for (let index = 1; index < scores.length; index++) if (scores.indexOf(scores[index] ?? 0) < index) return true
  return false
}

/** Candidates by their places, what they are ordered by. */
interface Ranked {
  readonly scores: readonly number[]
  /** Empty where no two scores are equal. */
  readonly ties: readonly number[]
}

const isBetter = ({ scores, ties }: Ranked, one: number, other: number): boolean => {
  const score = scores[one] ?? 0
  const otherScore = scores[other] ?? 0
  return score === otherScore ? (ties[one] ?? 0) < (ties[other] ?? 0) : score > otherScore
}

/** In place. */
const insertInOrder = (order: number[], ranked: Ranked): void => {
  for (let next = 1; next < order.length; next++) {
    for (let place = next; place > 0; place--) {
      const entry = order[place] ?? 0
      const above = order[place - 1] ?? 0
      if (!isBetter(ranked, entry, above)) break
      order[place] = above
      order[place - 1] = entry
    }
  }
}

/**
 * The candidates, best first. Equal scores are ordered by a hash of payment and gateway (decide.md 4.3): the same payment always gets
 * the same order, many payments spread evenly. By insertion while candidates are few, which is the rule.
 */
export const rankGateways = (paymentId: string, candidates: readonly string[], scores: readonly number[]): readonly string[] => {
  const ranked = { scores, ties: hasEqual(scores) ? tiesOf(paymentId, candidates) : NO_TIES }
  const order = candidates.map((_, index) => index)
  if (order.length > INSERTED_COUNT_MAX) order.sort((one, other) => (isBetter(ranked, one, other) ? -1 : 1))
  else insertInOrder(order, ranked)
  return order.map((index) => candidates[index] ?? '')
}

/**
 * Pseudo score of a place in a priority list (decide.md 9.2): 1, 0.9 ... 0.1, then 0.099, 0.098 ...: clean decimals that
 * fall strictly and stay above zero for {@link CANDIDATE_COUNT_MAX} places.
 */
export const priorityScore = (place: number): number => (place < 10 ? (10 - place) / 10 : (109 - place) / 1000)

/** Scores of the candidates by their place in the list; all that the list lacks share the place behind its end. */
export const scoresByPriority = (candidates: readonly string[], list: readonly string[]): readonly number[] =>
  candidates.map((candidate) => {
    const place = list.indexOf(candidate)
    return priorityScore(place < 0 ? list.length : place)
  })
