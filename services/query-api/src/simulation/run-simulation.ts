import { DECISIONS_PAGE_MAX, type DecisionsQuery } from '@switchyard/analytics'
import { isOperatingError } from '@switchyard/kernel'
import type { StoredAlgorithm } from '@switchyard/routing'
import { SIMULATION_PAGES_MAX } from '../limits.ts'
import type { PageToSimulate, SimulatedPage, SimulatePage } from './simulate-page.ts'
import { failureLine, progressLine, resultLine } from './simulation-answer.ts'
import { EMPTY_TALLY, examinedOf, merged } from './tally.ts'

/** What to replay: an algorithm, and which of a merchant's decisions. */
export interface Simulation extends Omit<PageToSimulate, 'query'> {
  readonly algorithm: StoredAlgorithm
  readonly query: DecisionsQuery
}

const firstOf = (query: DecisionsQuery): DecisionsQuery =>
  'page' in query ? query : { paymentIds: query.paymentIds.slice(0, DECISIONS_PAGE_MAX) }

/** The query that goes on behind a page; undefined behind the last one. */
const behind = (query: DecisionsQuery, next: SimulatedPage['next']): DecisionsQuery | undefined => {
  if ('page' in query) return next === null ? undefined : { ...query, page: next }
  const paymentIds = query.paymentIds.slice(DECISIONS_PAGE_MAX)
  return paymentIds.length === 0 ? undefined : { paymentIds }
}

const replay = async function* (simulatePage: SimulatePage, { query, countMax, ...simulation }: Simulation): AsyncGenerator<string> {
  let tally = EMPTY_TALLY
  let rest: DecisionsQuery | undefined = query
  let isCut = false
  for (let pageCount = 0; rest !== undefined && !isCut && pageCount < SIMULATION_PAGES_MAX; pageCount++) {
    const left = countMax - examinedOf(tally).payments
    const page: SimulatedPage = await simulatePage({ ...simulation, query: firstOf(rest), countMax: left })
    tally = merged(tally, page.tally)
    isCut = page.isCut
    rest = behind(rest, page.next)
    yield progressLine(tally)
  }
  yield resultLine(simulation.algorithm.id, tally, isCut || rest !== undefined)
}

/** Lines of a simulation: one of progress for each page, then the result, or why it could not go on. */
export const runSimulation = async function* (simulatePage: SimulatePage, simulation: Simulation): AsyncGenerator<string> {
  try {
    yield* replay(simulatePage, simulation)
  } catch (error) {
    if (!isOperatingError(error)) throw error
    yield failureLine('Recorded payments can not be read at the moment; please send it again later')
  }
}
