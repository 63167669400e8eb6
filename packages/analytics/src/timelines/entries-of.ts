import type {
  AlgorithmKind,
  DecisionRefused,
  EvaluationStatus,
  GatewayDecided,
  OutcomeRecorded,
  OutcomeRefused,
  RuleEvaluated,
  RuleEvaluationRefused,
} from '@switchyard/events'
import { assertNever, beginningOf, type RequestTrace, traceIdIn } from '@switchyard/kernel'
import type { FlowType } from '../flows.ts'
import { MESSAGE_LENGTH_MAX, PARAMETER_LENGTH_MAX, PARAMETERS_MAX } from '../limits.ts'
import { outcomeClassOf } from '../outcome-status.ts'
import { type GatewayNews, type OutcomeEffect, ownEffectOf, type RecordedPayment } from '../recorded-payment.ts'
import type { CallerIds, TimelineEntry } from './timeline-entry.ts'

/** Every field, so that copies of it keep one hidden class: filling fields in costs a fraction of adding them. */
const BLANK: TimelineEntry = {
  id: '',
  flow: 'routing_evaluate_preview',
  at: 0,
  requestId: '',
  stage: '',
  status: '',
  gateway: null,
  approach: null,
  ruleName: null,
  errorCode: null,
  errorMessage: null,
  paymentMethodType: null,
  paymentMethod: null,
  score: null,
  sampleCount: null,
  facts: { kind: 'refusal', rankingAlgorithm: null },
}

const messageOf = (message: string | null | undefined): string | null =>
  typeof message === 'string' ? beginningOf(message, MESSAGE_LENGTH_MAX) : null

const decisionEntry = (id: string, data: GatewayDecided['data']): TimelineEntry => ({
  ...BLANK,
  id,
  flow: 'decide_gateway_decision',
  at: data.at,
  requestId: data.requestId,
  stage: 'gateway_decided',
  status: 'success',
  gateway: data.gateway,
  approach: data.approach,
  ruleName: data.priorityLogicTag,
  paymentMethodType: data.paymentMethodType,
  paymentMethod: data.paymentMethod,
  facts: {
    kind: 'decision',
    rankingAlgorithm: data.rankingAlgorithm ?? 'PL_BASED_ROUTING',
    paymentType: data.paymentType,
    amount: data.amount,
    currency: data.currency,
    country: data.country,
    cardType: data.cardType,
    cardNetwork: data.cardNetwork,
    cardIsIn: data.cardIsIn,
    authType: data.authType,
    preferredGateway: data.preferredGateway,
    eliminationRequested: data.eliminationRequested,
    multiObjectiveRequested: data.multiObjectiveRequested,
    candidates: data.candidates,
    scores: data.scores,
    fallbacks: data.fallbacks,
    gatewayBeforeEvaluation: data.gatewayBeforeEvaluation,
    explored: data.explored,
    algorithmId: data.algorithmId,
    latencyUs: data.latencyUs,
    dimension: data.dimension,
    knobs: data.knobs,
    elimination: data.elimination,
    ...(data.down.length === 0 ? {} : { downtime: { down: data.down, probe: data.probe } }),
    ...(data.network === null ? {} : { network: data.network }),
    ...(data.networkProblem === null ? {} : { networkProblem: data.networkProblem }),
    ...(data.experiment === null ? {} : { experiment: data.experiment }),
    ...(data.costChoice === null ? {} : { costChoice: data.costChoice }),
    ...(data.pricing === null ? {} : { pricing: data.pricing }),
  },
})

const ruleHitEntry = (id: string, data: GatewayDecided['data']): TimelineEntry => ({
  ...BLANK,
  id: `${id}:rule`,
  flow: 'decide_gateway_rule_hit',
  at: data.at,
  requestId: data.requestId,
  stage: 'rule_applied',
  status: 'hit',
  gateway: data.gateway,
  approach: data.approach,
  ruleName: data.priorityLogicTag,
  paymentMethodType: data.paymentMethodType,
  paymentMethod: data.paymentMethod,
  facts: { kind: 'rule-hit', candidates: data.candidates },
})

type Result = Pick<TimelineEntry, 'paymentMethodType' | 'paymentMethod' | 'score' | 'sampleCount'>

/** What an outcome's effect adds to its entry. */
export const resultOf = ({ payment, score }: OutcomeEffect): Result => ({
  paymentMethodType: payment?.paymentMethodType ?? null,
  paymentMethod: payment?.paymentMethod ?? null,
  score: score?.value ?? null,
  sampleCount: score?.sampleCount ?? null,
})

/** Most outcomes show nothing new of their gateway: then the entry carries nothing of it. */
export const newsOf = ({ slow, dropped, health }: GatewayNews): { readonly news?: GatewayNews } =>
  slow || dropped !== null || health !== null ? { news: { slow, dropped, health } } : {}

const NO_RESULT: Result = { paymentMethodType: null, paymentMethod: null, score: null, sampleCount: null }
const WAITING: Pick<OutcomeEffect, 'disposition' | 'success'> = { disposition: 'waiting', success: null }

const outcomeEntry = (id: string, data: OutcomeRecorded['data'], effect: OutcomeEffect | undefined): TimelineEntry => {
  const { disposition, success } = effect ?? WAITING
  return {
    ...BLANK,
    ...(effect === undefined ? NO_RESULT : resultOf(effect)),
    id,
    flow: 'update_gateway_score_update',
    at: data.at,
    requestId: data.requestId,
    stage: 'score_updated',
    status: data.status,
    gateway: data.gateway,
    errorCode: data.error?.errorCode ?? null,
    errorMessage: messageOf(data.error?.errorMessage),
    facts: {
      kind: 'outcome',
      gatewayReferenceId: data.gatewayReferenceId,
      enforceFailure: data.enforceFailure,
      gatewayLatencyMs: data.gatewayLatencyMs,
      smartRetry: data.smartRetry,
      error: data.error,
      errorClass: data.errorClass,
      outcomeClass: outcomeClassOf(data.status, data.statusClass),
      disposition,
      success,
      ...(effect === undefined ? {} : newsOf(effect)),
    },
  }
}

const EVALUATION_FLOWS: Readonly<Record<AlgorithmKind, FlowType>> = {
  UNKNOWN: 'routing_evaluate_preview',
  SINGLE: 'routing_evaluate_single',
  PRIORITY: 'routing_evaluate_priority',
  VOLUME_SPLIT: 'routing_evaluate_volume_split',
  ADVANCED: 'routing_evaluate_advanced',
  AB_TEST: 'routing_evaluate_preview',
}

const boundedParameters = (parameters: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(parameters)
      .slice(0, PARAMETERS_MAX)
      .map(([name, value]) => [beginningOf(name, PARAMETER_LENGTH_MAX), beginningOf(value, PARAMETER_LENGTH_MAX)]),
  )

/** Of an evaluation. */
const STATUS_WORDS: Readonly<Record<EvaluationStatus, string>> = {
  UNKNOWN: 'unknown',
  SUCCESS: 'success',
  DEFAULT_SELECTION: 'default_selection',
}

const evaluationEntry = (id: string, data: RuleEvaluated['data']): TimelineEntry => ({
  ...BLANK,
  id,
  flow: EVALUATION_FLOWS[data.kind],
  at: data.at,
  requestId: data.requestId,
  stage: 'preview_evaluated',
  status: STATUS_WORDS[data.status],
  gateway: data.gateway,
  approach: 'RULE_EVALUATE_PREVIEW',
  ruleName: data.ruleName,
  facts: {
    kind: 'evaluation',
    algorithmId: data.algorithmId,
    algorithmKind: data.kind,
    evaluated: data.evaluated,
    eligible: data.eligible,
    drawnSlot: data.drawnSlot,
    parameters: boundedParameters(data.parameters),
    ...(data.experimentId === null ? {} : { experiment: { id: data.experimentId, arm: data.experimentArm ?? 'UNKNOWN' } }),
  },
})

type Refused = DecisionRefused | OutcomeRefused | RuleEvaluationRefused

const REFUSAL_FLOWS: Readonly<Record<Refused['type'], FlowType>> = {
  DecisionRefused: 'decide_gateway_error',
  OutcomeRefused: 'update_gateway_score_error',
  RuleEvaluationRefused: 'routing_evaluate_error',
}

const readableOf = (event: Refused): Pick<TimelineEntry, 'gateway' | 'paymentMethodType' | 'paymentMethod'> => {
  const payment = event.type === 'DecisionRefused' ? event.data.payment : null
  return {
    gateway: event.type === 'OutcomeRefused' ? event.data.gateway : null,
    paymentMethodType: payment?.paymentMethodType ?? null,
    paymentMethod: payment?.paymentMethod ?? null,
  }
}

/** Entry of a call that failed. */
export const refusalEntry = (id: string, event: Refused): TimelineEntry => ({
  ...BLANK,
  id,
  flow: REFUSAL_FLOWS[event.type],
  at: event.data.at,
  requestId: event.data.requestId,
  stage: event.data.stage,
  status: 'failure',
  approach: event.type === 'DecisionRefused' ? event.data.approach : null,
  errorCode: event.data.errorCode,
  errorMessage: messageOf(event.data.errorMessage),
  ...readableOf(event),
  facts: { kind: 'refusal', rankingAlgorithm: event.type === 'DecisionRefused' ? event.data.rankingAlgorithm : null },
})

/** What an entry keeps of a trace; nothing, as nearly always, when there is none. */
export const callerOf = (trace: RequestTrace = {}): { readonly caller?: CallerIds } => {
  const [traceId = null, globalRequestId = null] = [traceIdIn(trace), trace.globalRequestId]
  return traceId === null && globalRequestId === null ? {} : { caller: { traceId, globalRequestId } }
}

const entriesOfEvent = (record: RecordedPayment): readonly TimelineEntry[] => {
  const { event, eventId } = record
  switch (event.type) {
    case 'GatewayDecided': {
      const decision = decisionEntry(eventId, event.data)
      return event.data.priorityLogicTag === null ? [decision] : [ruleHitEntry(eventId, event.data), decision]
    }
    case 'OutcomeRecorded':
      return [outcomeEntry(eventId, event.data, ownEffectOf(record))]
    case 'RuleEvaluated':
      return [evaluationEntry(eventId, event.data)]
    case 'DecisionRefused':
    case 'OutcomeRefused':
    case 'RuleEvaluationRefused':
      return [refusalEntry(eventId, event)]
    case 'GatewayScoresReset':
    case 'ApiKeysUsed':
      return []
    default:
      return assertNever(event)
  }
}

/** Entries that an event adds to its timeline (analytics.md 3.2): one, or two when a rule took part in the decision; none when it is about no payment. */
export const entriesOf = (record: RecordedPayment): readonly TimelineEntry[] => {
  const entries = entriesOfEvent(record)
  const { caller } = callerOf(record.trace)
  return caller === undefined ? entries : entries.map((entry) => ({ ...entry, caller }))
}
