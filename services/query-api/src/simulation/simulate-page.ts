import { type DecisionsQuery, readRecordedDecisions, type ScanPage } from '@switchyard/analytics'
import type { ReadStore } from '@switchyard/kernel'
import { gatewayByStoredAlgorithm, type RuleEvaluator, type StoredAlgorithm } from '@switchyard/routing'
import { EMPTY_TALLY, type Tally, withPayment } from './tally.ts'

/** A page of a merchant's recorded decisions and the algorithm that is to answer them again. Plain data, as is the answer. */
export interface PageToSimulate {
  readonly merchantId: string
  readonly algorithm: StoredAlgorithm
  readonly query: DecisionsQuery
  readonly historySince: number
  /** Most decisions to replay. */
  readonly countMax: number
}

/** What the page gave. */
export interface SimulatedPage {
  readonly tally: Tally
  /** Where to go on; null behind the last page. */
  readonly next: ScanPage | null
  /** Decisions were left out because of the limit. */
  readonly isCut: boolean
}

/** Replays a page; rejects when the store fails. Writes nothing. */
export type SimulatePage = (page: PageToSimulate) => Promise<SimulatedPage>

/** What simulations work with. */
export interface SimulationDeps {
  readonly store: ReadStore
  readonly evaluator: RuleEvaluator
}

/** Replays pages on the thread that it is called on; the algorithm of the last page stays compiled. */
export const createSimulatePage = ({ store, evaluator }: SimulationDeps): SimulatePage => {
  let last: StoredAlgorithm | undefined
  // Copies of an algorithm that came over a port are one to the compiler.
  const sameAsLast = (algorithm: StoredAlgorithm): StoredAlgorithm => {
    if (last?.id !== algorithm.id || last.definition !== algorithm.definition) last = algorithm
    return last
  }
  return async ({ merchantId, algorithm, query, historySince, countMax }) => {
    const stored = sameAsLast(algorithm)
    const { decisions, next } = await readRecordedDecisions(store, merchantId, query, historySince)
    const tally = decisions
      .slice(0, countMax)
      .reduce(
        (sum, payment) => withPayment(sum, payment.gateway, gatewayByStoredAlgorithm(evaluator, stored, payment), payment.isApproved),
        EMPTY_TALLY,
      )
    return { tally, next, isCut: decisions.length > countMax }
  }
}
