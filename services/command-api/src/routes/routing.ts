import {
  type MerchantLocation,
  type Route,
  type RouteApi,
  type RouteReply,
  type RouteRequest,
  type RouteSpec,
  wrongShape,
} from '@switchyard/http'
import { assert, type NewId, type Now } from '@switchyard/kernel'
import {
  algorithmById,
  experimentOf,
  isActive,
  type RoutingAlgorithms,
  type RoutingAlgorithmsCommand,
  type RoutingAlgorithmsRejection,
  type RuleEvaluator,
  routingAlgorithms,
  type StoredAlgorithm,
  splitWarnings,
} from '@switchyard/routing'
import type { CommandOutcome, HandleCommand, StreamStates } from '@switchyard/runtime'
import * as z from 'zod'
import { algorithmList, algorithmSummary, discardedAlgorithm } from './answer-schemas.ts'
import { originOf } from './command-origin.ts'
import { positionHeaders, printRecord, printSummary, routingRefusal, unparsableRule, unusablePage } from './routing-replies.ts'
import {
  type AlgorithmReference,
  createSchema,
  parseCreate,
  parsePage,
  parseReference,
  parseUpdate,
  referenceSchema,
  updateSchema,
} from './routing-requests.ts'

/** What the routes of stored algorithms need. */
export interface RoutingRouteDependencies {
  readonly handle: HandleCommand
  readonly states: StreamStates
  readonly evaluator: RuleEvaluator
  readonly now: Now
  readonly newId: NewId
}

type Outcome = CommandOutcome<RoutingAlgorithms, RoutingAlgorithmsRejection>
type Refused = Extract<Outcome, { readonly accepted: false }>

const inBody = (whenUnknown: MerchantLocation['whenUnknown']): MerchantLocation => ({ in: 'body', name: 'created_by', whenUnknown })

/** A route that changes the algorithms of the merchant named in the body. */
export const writeSpec = (path: string, whenUnknown: MerchantLocation['whenUnknown']): RouteSpec => ({
  method: 'POST',
  path,
  access: 'protected',
  permission: 'routing:write',
  tenant: false,
  merchant: inBody(whenUnknown),
  body: 'json',
  hot: false,
})

/** A route that lists algorithms of the merchant named in the path. */
export const listSpec = (path: string): RouteSpec => ({
  method: 'POST',
  path,
  access: 'protected',
  permission: 'routing:read',
  tenant: false,
  merchant: { in: 'path', name: 'createdBy', whenUnknown: 'allowed' },
  body: 'none',
  hot: false,
})

/** The merchant may have been closed in between, or the algorithm deleted: then it is not there. */
const goneMeanwhile = ({ registered }: RoutingAlgorithms, merchantId: string): Refused => ({
  accepted: false,
  rejection: registered ? { code: 'CONFLICT' } : { code: 'MERCHANT_NOT_FOUND', merchantId },
})

/** Sends a command in the name of the caller; what it is about stands in the state when it is accepted, unless it was to go. */
export const sendRouting = async (
  { handle }: RoutingRouteDependencies,
  command: RoutingAlgorithmsCommand,
  request: RouteRequest,
): Promise<Outcome> => {
  const { type, merchantId, algorithmId } = command
  const outcome = await handle(routingAlgorithms, { key: merchantId, command, origin: originOf(request) })
  if (!outcome.accepted || type === 'DiscardRoutingAlgorithm' || algorithmById(outcome.state, algorithmId) !== undefined) return outcome
  return goneMeanwhile(outcome.state, merchantId)
}

/** The algorithm that was just written. */
export const storedIn = (state: RoutingAlgorithms, algorithmId: string): StoredAlgorithm => {
  const stored = algorithmById(state, algorithmId)
  assert(stored !== undefined, 'what was just written is in the state')
  return stored
}

/** What the text of an algorithm is judged by. */
const checkedAgainst = ({
  evaluator: { catalogue },
  now,
}: RoutingRouteDependencies): Pick<RuleEvaluator, 'catalogue'> & { readonly at: number } => ({
  catalogue,
  at: now(),
})

const createRoute = (deps: RoutingRouteDependencies): Route => ({
  spec: writeSpec('/routing/create', 'not-found'),
  api: {
    summary: 'Store a routing algorithm',
    body: createSchema,
    answer: algorithmSummary,
    refusals: { 409: 'The id is taken, or others changed the algorithms at the same time' },
  },
  handle: async (request) => {
    const body = parseCreate(request.body)
    if (!body.ok) return unparsableRule(body.path, body.detail)
    const algorithmId = body.value.algorithmId ?? `routing_${deps.newId()}`
    const outcome = await sendRouting(deps, { type: 'DraftRoutingAlgorithm', ...body.value, algorithmId, ...checkedAgainst(deps) }, request)
    if (!outcome.accepted) return routingRefusal(outcome.rejection, 400)
    const summary = printSummary(storedIn(outcome.state, algorithmId), splitWarnings(body.value.algorithm))
    return { status: 200, body: summary, headers: positionHeaders(outcome.position) }
  },
})

const updateRoute = (deps: RoutingRouteDependencies): Route => ({
  spec: writeSpec('/routing/update', 'allowed'),
  api: { summary: 'Replace a routing algorithm that is not active', body: updateSchema, answer: algorithmSummary, refusals: REFUSED_WRITE },
  handle: async (request) => {
    const body = parseUpdate(request.body)
    if (!body.ok) return wrongShape(body.path, body.detail)
    const outcome = await sendRouting(deps, { type: 'ReviseRoutingAlgorithm', ...body.value, ...checkedAgainst(deps) }, request)
    if (!outcome.accepted) return routingRefusal(outcome.rejection, 400)
    const summary = printSummary(storedIn(outcome.state, body.value.algorithmId), splitWarnings(body.value.algorithm))
    return { status: 200, body: summary, headers: positionHeaders(outcome.position) }
  },
})

/** An operation that only names an algorithm. */
interface NamedOperation {
  readonly path: string
  readonly summary: string
  readonly answered?: RouteApi['answer']
  readonly type: 'DiscardRoutingAlgorithm' | 'ActivateRoutingAlgorithm' | 'DeactivateRoutingAlgorithm'
  readonly statusOfUnknown: 400 | 404
  readonly answer: (reference: AlgorithmReference) => Pick<RouteReply, 'status' | 'body'>
}

const REFUSED_WRITE = { 404: 'It is not known', 409: 'Others changed the algorithms at the same time; try again' }
/** Query of a list. */
export const PAGE_PARAMETERS: Readonly<Record<string, z.ZodType>> = { limit: z.int().nonnegative(), offset: z.int().nonnegative() }

const EMPTY = (): Pick<RouteReply, 'status'> => ({ status: 200 })

const NAMED_OPERATIONS: readonly NamedOperation[] = [
  {
    path: '/routing/activate',
    summary: 'Make a routing algorithm the active one',
    type: 'ActivateRoutingAlgorithm',
    statusOfUnknown: 400,
    answer: EMPTY,
  },
  {
    path: '/routing/deactivate',
    summary: 'Take a routing algorithm out of use',
    type: 'DeactivateRoutingAlgorithm',
    statusOfUnknown: 400,
    answer: EMPTY,
  },
  {
    path: '/routing/delete',
    summary: 'Delete a routing algorithm that is not active',
    answered: discardedAlgorithm,
    type: 'DiscardRoutingAlgorithm',
    statusOfUnknown: 404,
    answer: ({ algorithmId }) => ({ status: 200, body: { status: 'deleted', routing_algorithm_id: algorithmId } }),
  },
]

/** Prepares an algorithm, of an experiment those of its arms. */
const compile = ({ compiledOf }: RuleEvaluator, state: RoutingAlgorithms, algorithmId: string): void => {
  const stored = storedIn(state, algorithmId)
  const experiment = experimentOf(stored)
  const ids = experiment === undefined ? [] : [experiment.control.algorithmId, experiment.variant.algorithmId]
  for (const each of [stored, ...ids.map((id) => algorithmById(state, id))]) if (each !== undefined) compiledOf(each)
}

const namedRoute = (deps: RoutingRouteDependencies, operation: NamedOperation): Route => {
  const { path, summary, answered, type, statusOfUnknown, answer } = operation
  return {
    spec: writeSpec(path, 'allowed'),
    api: { summary, body: referenceSchema, refusals: REFUSED_WRITE, ...(answered && { answer: answered }) },
    handle: async (request) => {
      const body = parseReference(request.body)
      if (!body.ok) return wrongShape(body.path, body.detail)
      const outcome = await sendRouting(deps, { type, ...body.value, at: deps.now() }, request)
      if (!outcome.accepted) return routingRefusal(outcome.rejection, statusOfUnknown)
      // Compiled now, so that no payment waits for it.
      if (type === 'ActivateRoutingAlgorithm') compile(deps.evaluator, outcome.state, body.value.algorithmId)
      return { ...answer(body.value), headers: positionHeaders(outcome.position) }
    },
  }
}

const listRoute = (
  { states }: RoutingRouteDependencies,
  path: string,
  summary: string,
  isListed: (state: RoutingAlgorithms, stored: StoredAlgorithm) => boolean,
): Route => ({
  spec: listSpec(path),
  api: { summary, query: PAGE_PARAMETERS, answer: algorithmList },
  handle: async ({ params, query }) => {
    const page = parsePage(query)
    if (page === undefined) return unusablePage()
    const merchantId = params['createdBy'] ?? ''
    await states.readIndex(merchantId)
    const state = states.stateOf(routingAlgorithms, merchantId)
    const newestFirst = state.algorithms.filter((stored) => isListed(state, stored)).reverse()
    const listed = newestFirst.slice(page.offset, page.offset + page.limit)
    return { status: 200, body: listed.map((stored) => printRecord(merchantId, stored)) }
  },
})

/** `/routing/*` except evaluation (rules.md 3). */
export const routingRoutes = (deps: RoutingRouteDependencies): readonly Route[] => [
  createRoute(deps),
  updateRoute(deps),
  ...NAMED_OPERATIONS.map((operation) => namedRoute(deps, operation)),
  listRoute(deps, '/routing/list/:createdBy', 'List routing algorithms, newest first', () => true),
  listRoute(deps, '/routing/list/active/:createdBy', 'List the active routing algorithms', (state, { id }) => isActive(state, id)),
]
