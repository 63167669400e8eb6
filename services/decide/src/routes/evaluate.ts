import type { PaymentsEvent } from '@switchyard/events'
import type { Route, RouteReply, RouteRequest, RouteSpec } from '@switchyard/http'
import type { Now } from '@switchyard/kernel'
import {
  activeAlgorithm,
  algorithmById,
  checkParameters,
  type EligibilityTable,
  isEvaluationError,
  onlyEligible,
  type Parameters,
  type RoutingAlgorithms,
  type RuleEvaluator,
  routingAlgorithms,
  type StoredAlgorithm,
} from '@switchyard/routing'
import type { StreamStates } from '@switchyard/runtime'
import { ERROR_TEXT_LENGTH_MAX } from '../limits.ts'
import { evaluation } from './answer-schemas.ts'
import { printEvaluation } from './evaluate-answer.ts'
import { type Answering, answeringFor, fallbackEvaluation } from './evaluate-experiment.ts'
import { describeRefusal, ERROR_CODE, type EvaluationRefusal, replyToRefused } from './evaluate-refusals.ts'
import { type EvaluateRequest, parseEvaluation } from './evaluate-request.ts'
import { traceOf } from './evaluate-trace.ts'
import { type Evaluated, type RecordedRequest, ruleEvaluated } from './evaluation-event.ts'
import { evaluationJson } from './evaluation-json.ts'
import { evaluationSchema } from './evaluation-wire.ts'
import { maskedText } from './free-text.ts'

/** What evaluation needs. */
export interface EvaluateRouteDependencies {
  readonly states: Pick<StreamStates, 'stateOf'>
  /** Takes the event on its way to the log and returns at once. */
  readonly record: (event: PaymentsEvent) => void
  readonly now: Now
  /** A number in [0, 1): draws splits of requests that name no payment. */
  readonly draw: () => number
  readonly evaluator: RuleEvaluator
  readonly eligibility: EligibilityTable
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

/** What is evaluated. */
interface Question {
  readonly answering: Answering
  readonly parameters: Parameters
}

type Tools = Pick<EvaluateRouteDependencies, 'evaluator' | 'eligibility' | 'draw'>

const chosenAlgorithm = (
  state: RoutingAlgorithms,
  { merchantId, purpose, algorithmId }: EvaluateRequest,
): StoredAlgorithm | EvaluationRefusal =>
  algorithmId === null
    ? (activeAlgorithm(state, purpose) ?? { code: 'NO_ACTIVE_ALGORITHM', merchantId })
    : (algorithmById(state, algorithmId) ?? { code: 'ALGORITHM_NOT_FOUND', algorithmId })

/** Parameters first, then the algorithm (rules.md 6.3). */
const questionOf = ({ catalogue }: RuleEvaluator, state: RoutingAlgorithms, request: EvaluateRequest): Question | EvaluationRefusal => {
  const checked = checkParameters(catalogue, request.parameters)
  if (!checked.accepted) return checked.problem
  const chosen = chosenAlgorithm(state, request)
  const answering = 'code' in chosen ? chosen : answeringFor(state, chosen, request)
  return 'code' in answering ? answering : { answering, parameters: checked.parameters }
}

/** The evaluation, then who takes the payment (rules.md 6.3). */
const evaluate = ({ evaluator, eligibility, draw }: Tools, question: Question, request: EvaluateRequest): Evaluated | EvaluationRefusal => {
  const { answering, parameters } = question
  const { algorithm, connector } = answering
  const { fallback } = request
  // An empty id names no payment: all that come with one would be drawn the same split.
  const paymentId = request.paymentId === '' ? null : request.paymentId
  const result =
    connector === null ? evaluator.compiledOf(algorithm).evaluate(parameters, { paymentId, draw, fallback }) : fallbackEvaluation(connector)
  return isEvaluationError(result) ? result : { answering, parameters, evaluation: onlyEligible(eligibility, parameters, result) }
}

/**
 * `POST /routing/evaluate` (rules.md 6): answered from memory; a merchant that is not known has no algorithm and leaves no
 * event. With `trace` it tells what became of each rule, also when a comparison has no meaning.
 */
export const evaluateRoute = (dependencies: EvaluateRouteDependencies): Route => {
  const { states, record, now, evaluator } = dependencies
  const refuse = (refusal: EvaluationRefusal, recorded: RecordedRequest, data: object | null): RouteReply => {
    const refused = describeRefusal(refusal)
    const { stage, message } = refused
    const error = { stage, errorCode: ERROR_CODE, errorMessage: maskedText(message, ERROR_TEXT_LENGTH_MAX) }
    const { registered } = states.stateOf(routingAlgorithms, recorded.merchantId)
    if (registered) record({ type: 'RuleEvaluationRefused', data: { ...recorded, ...error } })
    return replyToRefused(refused, data)
  }
  const answer = (request: EvaluateRequest, { requestId }: RouteRequest): RouteReply => {
    const { merchantId, paymentId, isTraced } = request
    const recorded: RecordedRequest = { merchantId, paymentId, requestId, at: now() }
    const question = questionOf(evaluator, states.stateOf(routingAlgorithms, merchantId), request)
    if ('code' in question) return refuse(question, recorded, null)
    const result = evaluate(dependencies, question, request)
    const isUnreadable = 'code' in result && result.code === 'ALGORITHM_UNREADABLE'
    const trace = isTraced && !isUnreadable ? { trace: traceOf(question.answering.algorithm, question.parameters, evaluator) } : null
    if ('code' in result) return refuse(result, recorded, trace)
    record(ruleEvaluated(recorded, result))
    return trace === null
      ? { status: 200, json: evaluationJson(paymentId, result.evaluation) }
      : { status: 200, body: { ...printEvaluation(paymentId, result.evaluation), ...trace } }
  }
  return {
    spec: SPEC,
    api: { summary: 'Evaluate the active routing algorithm, or one that is named', body: evaluationSchema, answer: evaluation },
    handle: (request) => {
      const body = parseEvaluation(request.body)
      return body.ok ? answer(body.value, request) : body.reply
    },
  }
}
