import { hash53 } from '@switchyard/kernel'

/** Gateways that a request may name; priority scores stay above zero up to this many. */
export const CANDIDATE_COUNT_MAX = 100

const TIE_SALT = 'tie'

/** A candidate and its score. */
export interface ScoredGateway {
  readonly gateway: string
  readonly score: number
}

/**
 * Best first. Equal scores are ordered by a hash of payment and gateway (decide.md 4.3): the same payment always gets the
 * same order, many payments spread evenly.
 */
export const rankGateways = (paymentId: string, scored: readonly ScoredGateway[]): readonly ScoredGateway[] =>
  scored
    .map((entry) => ({ entry, tie: hash53(TIE_SALT, paymentId, entry.gateway) }))
    .sort((a, b) => b.entry.score - a.entry.score || a.tie - b.tie)
    .map(({ entry }) => entry)

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
