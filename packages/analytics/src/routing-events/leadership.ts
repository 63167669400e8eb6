import { LEADER_GATEWAYS_MAX } from '../limits.ts'

/** Real outcomes that a window needs before its gateway may lead (analytics.md 5.1). */
const MIN_SAMPLE_COUNT = 10

/** By how much a gateway has to be better than the leader to take its place; rates are 0 to 1. */
const MIN_SCORE_DELTA = 0.01

/** Age from which a score says nothing any more, milliseconds: twelve spans of five minutes (analytics.md 5.3). */
export const SCORE_AGE_MAX_MS = 3_600_000

/** Newest score of a gateway. */
export interface SeenScore {
  readonly gateway: string
  /** 0 to 1. */
  readonly score: number
  /** Real outcomes in the window behind it. */
  readonly sampleCount: number
  /** Epoch milliseconds. */
  readonly at: number
}

/** Who leads among gateways whose scores can be held against each other. */
export interface Leadership {
  /** Null until a gateway has enough outcomes. */
  readonly leader: string | null
  readonly scores: readonly SeenScore[]
}

/** Another gateway leads. */
export interface Flip {
  readonly best: SeenScore
  readonly previous: string
  /** Null when the former leader has no score that still counts. */
  readonly previousScore: number | null
}

export const NO_LEADERSHIP: Leadership = { leader: null, scores: [] }

const isEligible = ({ sampleCount, at }: SeenScore, now: number): boolean => sampleCount >= MIN_SAMPLE_COUNT && now - at <= SCORE_AGE_MAX_MS

const isBetter = (a: SeenScore, b: SeenScore): boolean => a.score > b.score || (a.score === b.score && a.gateway < b.gateway)

/** The scores with this one; a new gateway takes the place of the one heard of longest ago when there are too many. */
const withScore = (scores: readonly SeenScore[], seen: SeenScore): readonly SeenScore[] => {
  const index = scores.findIndex(({ gateway }) => gateway === seen.gateway)
  if (index >= 0) return scores.with(index, seen)
  if (scores.length < LEADER_GATEWAYS_MAX) return [...scores, seen]
  const oldest = scores.reduce((a, b) => (b.at < a.at ? b : a))
  return [...scores.filter((score) => score !== oldest), seen]
}

/**
 * Leadership after one more score, and the flip if there was one (analytics.md 5.3). The first leader makes no flip; later ones
 * have to be better by more than the margin, unless the leader has no score that counts.
 */
export const ledAfter = ({ leader, scores }: Leadership, seen: SeenScore): { readonly next: Leadership; readonly flip: Flip | null } => {
  const known = withScore(scores, seen)
  const eligible = known.filter((score) => isEligible(score, seen.at))
  const best = eligible.reduce<SeenScore | undefined>((a, b) => (a === undefined || isBetter(b, a) ? b : a), undefined)
  const incumbent = eligible.find(({ gateway }) => gateway === leader)
  const isFlip =
    best !== undefined && best.gateway !== leader && (incumbent === undefined || best.score > incumbent.score + MIN_SCORE_DELTA)
  if (!isFlip) return { next: { leader, scores: known }, flip: null }
  const flip = leader === null ? null : { best, previous: leader, previousScore: incumbent?.score ?? null }
  return { next: { leader: best.gateway, scores: known }, flip }
}
