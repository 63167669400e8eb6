import type { PaymentsEvent } from '@switchyard/events'
import { parseBody, type Route, type RouteReply, type RouteRequest, type RouteSpec } from '@switchyard/http'
import type { Now } from '@switchyard/kernel'
import {
  activePaymentAlgorithm,
  algorithmById,
  checkParameters,
  compiledAlgorithmOf,
  type Evaluation,
  isEvaluationError,
  type Parameters,
  type ParameterValue,
  type RoutingAlgorithms,
  routingAlgorithms,
  type StoredAlgorithm,
} from '@switchyard/routing'
import type { StreamStates } from '@switchyard/runtime'
import { ERROR_TEXT_LENGTH_MAX, TEXT_LENGTH_MAX } from '../limits.ts'
import { printEvaluation } from './evaluate-answer.ts'
import { describeRefusal, ERROR_CODE, type EvaluationRefusal, replyToRefused } from './evaluate-refusals.ts'
import { type EvaluateRequest, evaluateRequestSchema } from './evaluate-request.ts'
import { maskedText } from './free-text.ts'

/** What evaluation needs. */
export interface EvaluateRouteDependencies {
  readonly states: Pick<StreamStates, 'stateOf'>
  /** Takes the event on its way to the log and returns at once. */
  readonly record: (event: PaymentsEvent) => void
  readonly now: Now
  /** A number in [0, 1): draws splits of requests that name no payment. */
  readonly draw: () => number
}

const SPEC: RouteSpec = {
  method: 'POST',
  path: '/routing/evaluate',
  access: 'protected',
  permission: 'routing:read',
  tenant: false,
  merchant: { in: 'body', name: 'created_by', whenUnknown: 'allowed' },
  body: 'json',
  hot: true,
}

interface Evaluated {
  readonly algorithm: StoredAlgorithm
  readonly parameters: Parameters
  readonly evaluation: Evaluation
}

const chosenAlgorithm = (state: RoutingAlgorithms, { merchantId, algorithmId }: EvaluateRequest): StoredAlgorithm | EvaluationRefusal =>
  algorithmId === null
    ? (activePaymentAlgorithm(state) ?? { code: 'NO_ACTIVE_ALGORITHM', merchantId })
    : (algorithmById(state, algorithmId) ?? { code: 'ALGORITHM_NOT_FOUND', algorithmId })

/** Parameters first, then the algorithm, then the evaluation (rules.md 6.3). */
const evaluate = (state: RoutingAlgorithms, request: EvaluateRequest, draw: () => number): Evaluated | EvaluationRefusal => {
  const checked = checkParameters(request.parameters)
  if (!checked.accepted) return checked.problem
  const algorithm = chosenAlgorithm(state, request)
  if ('code' in algorithm) return algorithm
  const { parameters } = checked
  const { paymentId, fallback } = request
  const evaluation = compiledAlgorithmOf(algorithm).evaluate(parameters, { paymentId, draw, fallback })
  return isEvaluationError(evaluation) ? evaluation : { algorithm, parameters, evaluation }
}

const textOf = (parameter: ParameterValue): string => {
  if (parameter.type === 'number') return String(parameter.value)
  return maskedText(parameter.type === 'metadata' ? `${parameter.key}=${parameter.value}` : parameter.value, TEXT_LENGTH_MAX)
}

/** What both events say of the request. */
interface RecordedRequest {
  readonly merchantId: string
  readonly paymentId: string | null
  readonly requestId: string
  readonly at: number
}

const evaluatedEvent = (request: RecordedRequest, { algorithm, parameters, evaluation }: Evaluated): PaymentsEvent => {
  const evaluated = evaluation.evaluated.map(({ gatewayName }) => gatewayName)
  const eligible = evaluation.eligible.map(({ gatewayName }) => gatewayName)
  return {
    type: 'RuleEvaluated',
    data: {
      ...request,
      algorithmId: algorithm.id,
      kind: algorithm.kind,
      status: evaluation.status,
      ruleName: evaluation.label,
      gateway: evaluated[0] ?? eligible[0] ?? null,
      evaluated,
      eligible,
      drawnSlot: evaluation.drawnSlot,
      parameters: Object.fromEntries([...parameters].map(([key, value]) => [key, textOf(value)])),
    },
  }
}

/** `POST /routing/evaluate` (rules.md 6): answered from memory; a merchant that is not known has no algorithm and leaves no event. */
export const evaluateRoute = ({ states, record, now, draw }: EvaluateRouteDependencies): Route => {
  const answer = (request: EvaluateRequest, { requestId }: RouteRequest): RouteReply => {
    const state = states.stateOf(routingAlgorithms, request.merchantId)
    const { merchantId, paymentId } = request
    const recorded: RecordedRequest = { merchantId, paymentId, requestId, at: now() }
    const result = evaluate(state, request, draw)
    if (!('code' in result)) {
      record(evaluatedEvent(recorded, result))
      return { status: 200, body: printEvaluation(paymentId, result.evaluation) }
    }
    const refused = describeRefusal(result)
    const { stage, message } = refused
    const error = { stage, errorCode: ERROR_CODE, errorMessage: maskedText(message, ERROR_TEXT_LENGTH_MAX) }
    if (state.registered) record({ type: 'RuleEvaluationRefused', data: { ...recorded, ...error } })
    return replyToRefused(refused)
  }
  return {
    spec: SPEC,
    handle: (request) => {
      const body = parseBody(evaluateRequestSchema, request.body)
      return body.ok ? answer(body.value, request) : body.reply
    },
  }
}
