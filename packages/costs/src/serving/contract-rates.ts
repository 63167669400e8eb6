import type { Fee } from '../fit/fitted-cluster.ts'
import { grouped } from '../grouped.ts'
import { networkOf } from '../reports/network-labels.ts'
import { issuerCodeOf, regionOf } from './countries.ts'

/** Rates that the table of a merchant may have. */
export const CONTRACT_RATE_COUNT_MAX = 1000

/** A rate of a contract, and the payments that it is for: null for any (cost.md 13). */
export interface ContractRate {
  readonly gateway: string
  readonly network: string | null
  readonly funding: string | null
  readonly program: string | null
  readonly currency: string | null
  /** A country or a region. */
  readonly issuer: string | null
  readonly interchangeBps: number
  readonly schemeBps: number
  readonly markupBps: number
  readonly fixed: number
}

/** What a contract tells payments apart by; empty when unknown. */
export interface ContractedPayment {
  readonly network: string
  readonly funding: string
  readonly program: string
  readonly currency: string
  readonly issuerCountry: string
}

/** Dimensions with what a match on them is worth beside {@link PER_MATCH}. */
type Matcher = readonly [
  weight: number,
  of: (rate: ContractRate) => string | null,
  matches: (named: string, payment: ContractedPayment) => boolean,
]

const PER_MATCH = 32

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

const MATCHERS: readonly Matcher[] = [
  [
    16,
    ({ issuer }) => issuer,
    (named, { issuerCountry }) => isSame(regionOf(issuerCountry), named) || issuerCodeOf(issuerCountry) === issuerCodeOf(named),
  ],
  [8, ({ currency }) => currency, (named, { currency }) => isSame(currency, named)],
  [4, ({ network }) => network, (named, { network }) => networkOf(network) === networkOf(named)],
  [2, ({ funding }) => funding, (named, { funding }) => isSame(funding, named)],
  [1, ({ program }) => program, (named, { program }) => isSame(program, named)],
]

/** How exactly a rate names a payment; undefined when it is for others. */
const scoreOf = (rate: ContractRate, payment: ContractedPayment): number | undefined => {
  let score = 0
  for (const [weight, of, matches] of MATCHERS) {
    const named = of(rate)
    if (named === null || named === '') continue
    if (!matches(named, payment)) return undefined
    score += PER_MATCH + weight
  }
  return score
}

/** The fee that a rate adds up to. */
export const feeOfRate = ({ interchangeBps, schemeBps, markupBps, fixed }: ContractRate): Fee => ({
  pctBps: interchangeBps + schemeBps + markupBps,
  fixed,
})

/** The rate that names a payment most exactly, the later one of two; undefined when none is for it. `rates`: those of its gateway. */
export const contractRateFor = (rates: readonly ContractRate[], payment: ContractedPayment): ContractRate | undefined => {
  let best: ContractRate | undefined
  let bestScore = 0
  for (const rate of rates) {
    const score = scoreOf(rate, payment)
    if (score === undefined || score < bestScore) continue
    best = rate
    bestScore = score
  }
  return best
}

/** The rates by gateway, lower case. */
export const ratesByGateway = (rates: readonly ContractRate[]): ReadonlyMap<string, readonly ContractRate[]> =>
  grouped(rates, ({ gateway }) => gateway.toLowerCase())
