import { type AnalyticsQueries, experimentResults } from '@switchyard/analytics'
import type { Route, RouteRequest } from '@switchyard/http'
import { algorithmById, type Experiment, experimentOf, routingAlgorithms } from '@switchyard/routing'
import type { StreamStates } from '@switchyard/runtime'
import { type AnalyticsRouteDeps, readSpec } from './analytics.ts'
import { text } from './analytics-query.ts'
import { resultsAnswer, transactionsAnswer } from './experiment-answers.ts'
import { parseResultsQuery, parseTransactionsQuery } from './experiment-query.ts'
import {
  experimentPaymentsSchema,
  experimentResultsSchema,
  resultsQueryParameters,
  transactionsQueryParameters,
} from './experiment-schemas.ts'
import { answerRead } from './merchant-reads.ts'

/** What the reads of experiments need. */
export interface ExperimentRouteDeps extends Pick<AnalyticsRouteDeps, 'historySinceOf'> {
  readonly queries: Pick<AnalyticsQueries, 'experimentFigures' | 'experimentPayments'>
  /** Where the experiments themselves stand: their thresholds apply unless the query names others. */
  readonly states: Pick<StreamStates, 'stateOf' | 'readIndex'>
}

/** What is known of an experiment beside its payments. */
interface KnownExperiment {
  readonly id: string
  readonly stored: Experiment | undefined
  /**
   * Its payments since then are its own, epoch milliseconds: an id can have been another's, that was deleted or of an earlier merchant. Where
   * no window is asked for they are those of its arms and split as they are now.
   */
  readonly historySince: number
}

const isWindowAsked = (query: URLSearchParams): boolean => text(query, 'start_ms') !== undefined || text(query, 'end_ms') !== undefined

const knownExperiment = async (
  { states, historySinceOf }: ExperimentRouteDeps,
  merchantId: string,
  { params, query }: RouteRequest,
): Promise<KnownExperiment> => {
  await states.readIndex(merchantId)
  const id = params['experimentId'] ?? ''
  const stored = algorithmById(states.stateOf(routingAlgorithms, merchantId), id)
  const rearrangedAt = isWindowAsked(query) ? undefined : stored?.rearrangedAt
  const since = rearrangedAt ?? stored?.createdAt ?? 0
  return { id, stored: stored && experimentOf(stored), historySince: Math.max(historySinceOf(merchantId), since) }
}

/** `GET /analytics/experiment/{id}/results` and `…/transactions`; an experiment that is not known has empty arms. */
export const experimentRoutes = (deps: ExperimentRouteDeps): readonly Route[] => [
  {
    spec: readSpec('/analytics/experiment/:experimentId/results'),
    api: { summary: 'What an experiment has shown so far', query: resultsQueryParameters, answer: experimentResultsSchema },
    handle: (request) =>
      answerRead(request, async (merchantId) => {
        const known = await knownExperiment(deps, merchantId, request)
        const { query, rules } = parseResultsQuery(request.query, known)
        const figures = await deps.queries.experimentFigures(merchantId, query)
        const results = experimentResults(figures.tally, rules)
        return { status: 200, body: resultsAnswer(figures, results, { rules, experimentId: known.id, merchantId }) }
      }),
  },
  {
    spec: readSpec('/analytics/experiment/:experimentId/transactions'),
    api: { summary: 'The payments of an experiment', query: transactionsQueryParameters, answer: experimentPaymentsSchema },
    handle: (request) =>
      answerRead(request, async (merchantId) => {
        const { id, historySince } = await knownExperiment(deps, merchantId, request)
        const query = parseTransactionsQuery(request.query, { id, historySince })
        return { status: 200, body: transactionsAnswer(id, await deps.queries.experimentPayments(merchantId, query)) }
      }),
  },
]
