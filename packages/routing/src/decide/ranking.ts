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

/** Candidates by their places. One object for a decision: functions made for each would have to be collected. */
class Ranked {
  readonly #paymentId: string
  readonly #candidates: readonly string[]
  readonly #scores: readonly number[]
  /** Made when equal scores need them: with many candidates that score alike, hashing is most of the work. */
  #ties: readonly number[] | undefined

  constructor(paymentId: string, candidates: readonly string[], scores: readonly number[]) {
    this.#paymentId = paymentId
    this.#candidates = candidates
    this.#scores = scores
  }

  isBetter(one: number, other: number): boolean {
    const score = this.#scores[one] ?? 0
    const otherScore = this.#scores[other] ?? 0
    return score === otherScore ? this.#tieOf(one) < this.#tieOf(other) : score > otherScore
  }

  #tieOf(index: number): number {
    this.#ties ??= tiesOf(this.#paymentId, this.#candidates)
    return this.#ties[index] ?? 0
  }
}

/** In place. */
const insertInOrder = (order: number[], ranked: Ranked): void => {
  for (let next = 1; next < order.length; next++) {
    for (let place = next; place > 0; place--) {
      const entry = order[place] ?? 0
      const above = order[place - 1] ?? 0
      if (!ranked.isBetter(entry, above)) break
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
  const ranked = new Ranked(paymentId, candidates, scores)
  const order = candidates.map((_, index) => index)
  if (order.length > INSERTED_COUNT_MAX) order.sort((one, other) => (ranked.isBetter(one, other) ? -1 : 1))
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
