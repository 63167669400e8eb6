import { hash53 } from '@switchyard/kernel'

/** Gateways that a request may name; priority scores stay above zero up to this many. */
export const CANDIDATE_COUNT_MAX = 100

const TIE_SALT = 'tie'

/** A candidate on the way to its place. */
interface Placed {
  readonly gateway: string
  readonly score: number
  /** What settles equal scores, once it was needed: with many candidates that score alike, hashing is most of the work. */
  tie: number | undefined
}

const tieOf = (paymentId: string, entry: Placed): number => (entry.tie ??= hash53(TIE_SALT, paymentId, entry.gateway))

const isBetter = (paymentId: string, one: Placed, other: Placed): boolean =>
  one.score === other.score ? tieOf(paymentId, one) < tieOf(paymentId, other) : one.score > other.score

/**
 * The candidates, best first. Equal scores are ordered by a hash of payment and gateway (decide.md 4.3): the same payment always gets
 * the same order, many payments spread evenly. By insertion, because candidates are few.
 */
export const rankGateways = (paymentId: string, candidates: readonly string[], scores: readonly number[]): readonly string[] => {
  const ranked = candidates.map((gateway, index): Placed => ({ gateway, score: scores[index] ?? 0, tie: undefined }))
  for (let next = 1; next < ranked.length; next++) {
    const entry = ranked[next]
    let place = next
    for (
      let above = ranked[place - 1];
      above !== undefined && entry !== undefined && isBetter(paymentId, entry, above);
      above = ranked[place - 1]
    ) {
      ranked[place] = above
      place -= 1
    }
    if (entry !== undefined) ranked[place] = entry
  }
  return ranked.map(({ gateway }) => gateway)
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
