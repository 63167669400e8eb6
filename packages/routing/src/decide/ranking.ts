import { hash53 } from '@switchyard/kernel'

/** Gateways that a request may name; priority scores stay above zero up to this many. */
export const CANDIDATE_COUNT_MAX = 100

const TIE_SALT = 'tie'

/** A candidate and its score. */
export interface ScoredGateway {
  readonly gateway: string
  readonly score: number
}

const isBetter = (paymentId: string, one: ScoredGateway, other: ScoredGateway): boolean => {
  if (one.score !== other.score) return one.score > other.score
  return hash53(TIE_SALT, paymentId, one.gateway) < hash53(TIE_SALT, paymentId, other.gateway)
}

/**
 * Best first. Equal scores are ordered by a hash of payment and gateway (decide.md 4.3): the same payment always gets the
 * same order, many payments spread evenly. By insertion, because candidates are few and ties need hashing.
 */
export const rankGateways = (paymentId: string, scored: readonly ScoredGateway[]): readonly ScoredGateway[] => {
  const ranked: ScoredGateway[] = []
  for (const entry of scored) {
    let place = ranked.length
    for (let above = ranked[place - 1]; above !== undefined && isBetter(paymentId, entry, above); above = ranked[place - 1]) {
      ranked[place] = above
      place -= 1
    }
    ranked[place] = entry
  }
  return ranked
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
