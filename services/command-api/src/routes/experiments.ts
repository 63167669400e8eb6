import { type Route, wrongShape } from '@switchyard/http'
import {
  type Arm,
  activeAlgorithm,
  type ExperimentEnding,
  experimentOf,
  featureFlags,
  hasFeature,
  planOf,
  promotedOverrides,
  type RoutingAlgorithms,
  routingAlgorithms,
  type StoredAlgorithm,
} from '@switchyard/routing'
import { experimentList, promotedArm } from './answer-schemas.ts'
import { printExperiment, printOverrides } from './experiment-wire.ts'
import { listSpec, PAGE_PARAMETERS, type RoutingRouteDependencies, sendRouting, storedIn, writeSpec } from './routing.ts'
import { positionHeaders, printTime, routingRefusal, unusablePage } from './routing-replies.ts'
import { parsePage, parsePromote, promoteSchema } from './routing-requests.ts'

const ENDINGS: Readonly<Record<ExperimentEnding, string>> = {
  DEACTIVATED: 'deactivated',
  REPLACED: 'replaced',
  GUARDRAIL: 'guardrail_breached',
  PROMOTED: 'promoted',
}

const ARM_WORDS: Readonly<Record<Arm, string>> = { CONTROL: 'control', VARIANT: 'variant' }

/**
 * `draft` was neither live nor promoted, `running` takes part in payments, `not_collecting` is live for a merchant that lets no experiment
 * take part in them, `promoted` and `stopped` are over.
 */
const stateOf = ({ life }: StoredAlgorithm, isCollecting: boolean): string => {
  if (life === undefined) return 'draft'
  if (life.endedAt === null) return isCollecting ? 'running' : 'not_collecting'
  return life.ending === 'PROMOTED' ? 'promoted' : 'stopped'
}

const NEVER_LIVE = { started_at: null, ended_at: null, ended_by: null, promoted_arm: null }

const printLife = ({ life }: StoredAlgorithm): object => {
  if (life === undefined) return NEVER_LIVE
  const { startedAt, endedAt, ending, promotedArm } = life
  return {
    started_at: startedAt === null ? null : printTime(startedAt),
    ended_at: endedAt === null ? null : printTime(endedAt),
    ended_by: ending === null ? null : ENDINGS[ending],
    promoted_arm: promotedArm === null ? null : ARM_WORDS[promotedArm],
  }
}

const printListed = (stored: StoredAlgorithm, isCollecting: boolean): readonly object[] => {
  const experiment = experimentOf(stored)
  if (experiment === undefined) return []
  const { id, name, description, createdAt, modifiedAt } = stored
  return [
    {
      experiment_id: id,
      name,
      description,
      state: stateOf(stored, isCollecting),
      ...printLife(stored),
      ...printExperiment(experiment),
      created_at: printTime(createdAt),
      modified_at: printTime(modifiedAt),
    },
  ]
}

/** `GET /routing/experiments/{merchant}`: its experiments with their states, newest first. */
const listRoute = ({ states }: RoutingRouteDependencies): Route => ({
  spec: { ...listSpec('/routing/experiments/:createdBy'), method: 'GET' },
  api: { summary: 'List experiments with their states, newest first', query: PAGE_PARAMETERS, answer: experimentList },
  handle: async ({ params, query }) => {
    const page = parsePage(query)
    if (page === undefined) return unusablePage()
    const merchantId = params['createdBy'] ?? ''
    await states.readIndex(merchantId)
    const isEnabled = hasFeature(states.stateOf(featureFlags, merchantId), 'ab-test-real-payments')
    const { algorithms } = states.stateOf(routingAlgorithms, merchantId)
    const listed = algorithms
      .toReversed()
      .flatMap((stored) => printListed(stored, isEnabled && stored.purpose === 'PAYMENT'))
      .slice(page.offset, page.offset + page.limit)
    return { status: 200, body: listed }
  },
})

/** What went live; settings of an arm that routes by success rates are the merchant's from now on. */
const printPromoted = (state: RoutingAlgorithms, stored: StoredAlgorithm, arm: Arm): object => {
  const experiment = experimentOf(stored)
  return {
    status: 'promoted',
    routing_algorithm_id: stored.id,
    arm: ARM_WORDS[arm],
    active_algorithm_id: activeAlgorithm(state, stored.purpose)?.id ?? null,
    sr_config: experiment === undefined ? null : printOverrides(promotedOverrides(planOf(experiment, arm), stored.purpose)),
  }
}

/** `POST /routing/promote`: an arm of an experiment goes live, in place of whatever was. */
const promoteRoute = (deps: RoutingRouteDependencies): Route => ({
  spec: writeSpec('/routing/promote', 'allowed'),
  api: {
    summary: 'Let an arm of an experiment go live',
    body: promoteSchema,
    answer: promotedArm,
    refusals: { 404: 'The merchant is not known', 409: 'Others changed the algorithms at the same time; try again' },
  },
  handle: async (request) => {
    const body = parsePromote(request.body)
    if (!body.ok) return wrongShape(body.path, body.detail)
    const { algorithmId, arm } = body.value
    const outcome = await sendRouting(deps, { type: 'PromoteExperimentArm', ...body.value, at: deps.now() }, request)
    if (!outcome.accepted) return routingRefusal(outcome.rejection, 400)
    const stored = storedIn(outcome.state, algorithmId)
    const promoted = activeAlgorithm(outcome.state, stored.purpose)
    // Compiled now, so that no payment waits for it.
    if (promoted !== undefined) deps.evaluator.compiledOf(promoted)
    return { status: 200, body: printPromoted(outcome.state, stored, arm), headers: positionHeaders(outcome.position) }
  },
})

/** What experiments have beside the routes of all algorithms (analytics.md 6.1). */
export const experimentRoutes = (deps: RoutingRouteDependencies): readonly Route[] => [listRoute(deps), promoteRoute(deps)]
