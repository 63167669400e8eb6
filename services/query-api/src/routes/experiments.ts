import { type AnalyticsQueries, experimentResults } from '@switchyard/analytics'
import type { Route } from '@switchyard/http'
import { algorithmById, type Experiment, experimentOf, routingAlgorithms } from '@switchyard/routing'
import type { StreamStates } from '@switchyard/runtime'
import { type AnalyticsRouteDeps, readSpec } from './analytics.ts'
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
  readonly stored: Experiment | undefined
  /** Its payments since then are its own: an id can have been another's, that was deleted or of an earlier merchant. Epoch milliseconds. */
  readonly historySince: number
}

const knownExperiment = async (
  { states, historySinceOf }: ExperimentRouteDeps,
  merchantId: string,
  experimentId: string,
): Promise<KnownExperiment> => {
  await states.readIndex(merchantId)
  const stored = algorithmById(states.stateOf(routingAlgorithms, merchantId), experimentId)
  return { stored: stored && experimentOf(stored), historySince: Math.max(historySinceOf(merchantId), stored?.createdAt ?? 0) }
}

/** `GET /analytics/experiment/{id}/results` and `…/transactions`; an experiment that is not known has empty arms. */
export const experimentRoutes = (deps: ExperimentRouteDeps): readonly Route[] => [
  {
    spec: readSpec('/analytics/experiment/:experimentId/results'),
    api: { summary: 'What an experiment has shown so far', query: resultsQueryParameters, answer: experimentResultsSchema },
    handle: (request) =>
      answerRead(request, async (merchantId) => {
        const id = request.params['experimentId'] ?? ''
        const { query, rules } = parseResultsQuery(request.query, { id, ...(await knownExperiment(deps, merchantId, id)) })
        const figures = await deps.queries.experimentFigures(merchantId, query)
        const results = experimentResults(figures.tally, rules)
        return { status: 200, body: resultsAnswer(figures, results, { rules, experimentId: id, merchantId }) }
      }),
  },
  {
    spec: readSpec('/analytics/experiment/:experimentId/transactions'),
    api: { summary: 'The payments of an experiment', query: transactionsQueryParameters, answer: experimentPaymentsSchema },
    handle: (request) =>
      answerRead(request, async (merchantId) => {
        const id = request.params['experimentId'] ?? ''
        const { historySince } = await knownExperiment(deps, merchantId, id)
        const query = parseTransactionsQuery(request.query, { id, historySince })
        return { status: 200, body: transactionsAnswer(id, await deps.queries.experimentPayments(merchantId, query)) }
      }),
  },
]
