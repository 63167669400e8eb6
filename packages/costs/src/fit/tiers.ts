import { type Band, bandEnd, bandStart } from '../statistics/band.ts'
import { RunningSums, type Sums, sumOf } from '../statistics/sums.ts'
import type { Tier } from './fitted-cluster.ts'
import { type BandSums, gradedErrorBps, gradeOf, type Verdict } from './grade.ts'
import { BPS, fitLine, type Line, relativeErrorBps } from './line.ts'

/** Payments below which a piece can't stand for itself. */
const TIER_COUNT_MIN = 25
/** Pieces that a price may have. */
const TIER_COUNT_MAX = 5
/** Share of the value that GOOD pieces must cover. */
const TIER_GROSS_SHARE_MIN = 0.9

type OrderedBands = readonly (readonly [Band, Sums])[]

/** How far a line through the whole piece is off, weighted by payments; infinite for what can be no piece. */
const costOf = (sums: Sums): number => {
  const line = sums.n < TIER_COUNT_MIN ? undefined : fitLine(sums)
  return line === undefined ? Number.POSITIVE_INFINITY : (relativeErrorBps(line, sums) / BPS) ** 2 * sums.n
}

/** `costs[i][j]`: of the piece of the bands i up to, and without, j. */
const pieceCosts = (bands: OrderedBands): readonly (readonly number[])[] =>
  bands.map((_, from) => {
    const sums = new RunningSums()
    const costs: number[] = new Array(from + 1).fill(Number.POSITIVE_INFINITY)
    for (const [, ofBand] of bands.slice(from)) costs.push(costOf(sums.add(ofBand)))
    return costs
  })

interface Division {
  readonly cost: number
  /** Where pieces begin, ascending. */
  readonly starts: readonly number[]
}

const NO_DIVISION: Division = { cost: Number.POSITIVE_INFINITY, starts: [] }

/** The cheapest division of the first j bands into one more piece than `shorter` has; the earliest start of two. */
const oneMorePiece = (costs: readonly (readonly number[])[], shorter: readonly Division[]): readonly Division[] =>
  shorter.map((_, until) => {
    let best = NO_DIVISION
    for (let from = 0; from < until; from++) {
      const { cost, starts } = shorter[from] ?? NO_DIVISION
      const total = cost + (costs[from]?.[until] ?? Number.POSITIVE_INFINITY)
      if (total < best.cost) best = { cost: total, starts: [...starts, from] }
    }
    return best
  })

/** The best division into each possible number of pieces, fewest first (cost.md 9.2). */
const divisionsOf = (bands: OrderedBands): readonly Division[] => {
  const costs = pieceCosts(bands)
  const found: Division[] = []
  let current: readonly Division[] = Array.from({ length: bands.length + 1 }, (_, until) =>
    until === 0 ? { cost: 0, starts: [] } : NO_DIVISION,
  )
  for (let count = 1; count <= TIER_COUNT_MAX; count++) {
    current = oneMorePiece(costs, current)
    const whole = current[bands.length]
    if (whole && whole.cost < Number.POSITIVE_INFINITY) found.push(whole)
  }
  return found
}

const verdictOf = (sums: Sums, line: Line | undefined, errorBps: number): Verdict => {
  if (sums.n < TIER_COUNT_MIN) return 'THIN'
  return line === undefined ? 'NON_LINEAR' : gradeOf(sums.n, errorBps)
}

const tierOf = (bands: OrderedBands, index: number): Tier => {
  const sums = sumOf(bands.map(([, ofBand]) => ofBand))
  const line = fitLine(sums)
  const errorBps = line === undefined ? null : gradedErrorBps(line, new Map(bands))
  return {
    index,
    from: bandStart(bands[0]?.[0] ?? 0),
    to: bandEnd(bands.at(-1)?.[0] ?? 0),
    fee: line === undefined ? null : { pctBps: line.slope * BPS, fixed: line.fixed },
    errorBps,
    n: sums.n,
    gross: sums.sx,
    verdict: verdictOf(sums, line, errorBps ?? Number.POSITIVE_INFINITY),
  }
}

const tiersOf = (bands: OrderedBands, { starts }: Division): readonly Tier[] =>
  starts.map((start, index) => tierOf(bands.slice(start, starts[index + 1] ?? bands.length), index))

const goodGross = (tiers: readonly Tier[]): number =>
  Math.round(tiers.reduce((gross, tier) => gross + (tier.verdict === 'GOOD' ? tier.gross : 0), 0) * 100) / 100

const isWholeGood = (bands: BandSums): boolean => {
  const sums = sumOf(bands.values())
  const line = fitLine(sums)
  return line !== undefined && gradeOf(sums.n, gradedErrorBps(line, bands)) === 'GOOD'
}

/**
 * Divides a cluster that no line fits into pieces by amount (cost.md 9): the division with most value in GOOD pieces, the
 * fewest pieces of two. Empty when one line is enough or pieces do not help.
 */
export const findTiers = (bands: BandSums): readonly Tier[] => {
  if (isWholeGood(bands)) return []
  const ordered = [...bands].sort(([one], [other]) => one - other)
  let best: readonly Tier[] = []
  for (const division of divisionsOf(ordered)) {
    const tiers = tiersOf(ordered, division)
    if (best.length === 0 || goodGross(tiers) > goodGross(best)) best = tiers
  }
  const gross = best.reduce((sum, tier) => sum + tier.gross, 0)
  return best.length >= 2 && goodGross(best) >= TIER_GROSS_SHARE_MIN * gross ? best : []
}
