import type { EliminationKnobs, GatewayDecided, OutcomeRecorded, PaymentsEvent } from '@switchyard/events'
import type { Case } from '../decide/case.ts'
import { decideCase } from '../decide/decide-gateway.ts'
import type { PriorityPlan } from '../decide/decision.ts'
import type { DecisionRequest } from '../decide/request.ts'
import { createEliminationResolver, type EliminationRules, SHIPPED_ELIMINATION_RULES } from '../elimination/elimination-rules.ts'
import { createPaymentFold } from '../outcomes/payment-fold.ts'
import { recordedClassOf } from '../outcomes/status-class.ts'
import { dimensionOf } from '../scoring/dimension.ts'
import { certain, choiceProbabilities } from './choice-probabilities.ts'
import { type ApprovalEstimate, createEstimator, type WeighedPayment } from './estimate.ts'

/** What shall be other than it was; what is absent stays as it was recorded with each decision. */
export interface BackTestChanges {
  /** Window length, outcomes. */
  readonly bucketSize?: number | undefined
  readonly hedgingPercent?: number | undefined
  /** Age in milliseconds from which a pending report counts as failed. */
  readonly latencyThresholdMs?: number | undefined
  /** Whether windows drop what a proven change has made old. */
  readonly adaptive?: boolean | undefined
  readonly elimination?: boolean | undefined
  /** Success ratio, 0 to 1, below which a gateway is down. */
  readonly eliminationThreshold?: number | undefined
  /** Fields that tell windows apart. */
  readonly dimensions?: readonly string[] | undefined
  /** The order of an algorithm in place of success rates. */
  readonly priorityPlan?: (request: DecisionRequest, candidates: readonly string[]) => PriorityPlan
}

/** Which decisions are weighed, and by what. Times in epoch milliseconds; the end is not included. */
export interface BackTestOptions {
  readonly changes: BackTestChanges
  /** Decisions before it only teach the windows. */
  readonly startMs: number
  readonly endMs: number
  /** Most decisions to weigh. */
  readonly decisionCountMax: number
  readonly eliminationRules?: EliminationRules
}

/** What a back-test has seen, and what follows from it. */
export interface BackTestResult extends ApprovalEstimate {
  /** Decisions within the time, of all kinds. */
  readonly decisionCount: number
  /** Decisions that say nothing: others than by success rates, of single candidates, or without recorded scores. */
  readonly unweighableCount: number
  /** Payments whose end is not known. */
  readonly openCount: number
  /** There were more decisions than are weighed. */
  readonly isCut: boolean
}

/** A decision whose end is looked for. */
interface WeighedDecision extends Omit<WeighedPayment, 'isApproved'> {
  readonly gateway: string
}

/** Replays the recorded events of one merchant, in their order. */
export interface BackTest {
  /** Answers how likely each candidate of a decision was and would be; undefined for what is not weighed. */
  readonly apply: (event: PaymentsEvent) => WeighedDecision | undefined
  readonly result: () => BackTestResult
}

type Decided = GatewayDecided['data']

const requestOf = (data: Decided, { priorityPlan }: BackTestChanges): DecisionRequest => ({
  merchantId: data.merchantId,
  requestId: data.requestId,
  at: data.at,
  rankingAlgorithm: priorityPlan === undefined ? 'SR_BASED_ROUTING' : 'PL_BASED_ROUTING',
  candidates: data.candidates,
  eliminationRequested: data.eliminationRequested,
  multiObjectiveRequested: data.multiObjectiveRequested,
  payment: {
    paymentId: data.paymentId,
    paymentType: data.paymentType,
    paymentMethodType: data.paymentMethodType,
    paymentMethod: data.paymentMethod,
    amount: data.amount,
    currency: data.currency,
    country: data.country,
    cardType: data.cardType,
    cardNetwork: data.cardNetwork,
    cardIsIn: data.cardIsIn,
    cardProgram: null,
    cardIssuerCountry: null,
    channel: null,
    authType: data.authType,
    udfs: null,
    preferredGateway: data.preferredGateway,
  },
  debit: null,
})

/** Windows of another choice of fields begin anew; no recorded choice has this number. */
const OTHER_CHOICE = 1_000_000

const caseOf = (data: Decided, changes: BackTestChanges, unset: EliminationKnobs): Case => {
  const request = requestOf(data, changes)
  const { bucketSize, hedgingPercent, latencyThresholdMs, adaptive, dimensions } = changes
  const recorded = data.elimination ?? unset
  return {
    request,
    candidates: data.candidates,
    dimension:
      dimensions === undefined ? data.dimension : dimensionOf(request.payment, { fields: dimensions, udfs: [], version: OTHER_CHOICE }),
    knobs: {
      ...data.knobs,
      bucketSize: bucketSize ?? data.knobs.bucketSize,
      hedgingPercent: hedgingPercent ?? data.knobs.hedgingPercent,
      latencyThresholdMs: latencyThresholdMs ?? data.knobs.latencyThresholdMs,
      adaptive: adaptive ?? data.knobs.adaptive,
    },
    elimination: {
      ...recorded,
      enabled: changes.elimination ?? recorded.enabled,
      threshold: changes.eliminationThreshold ?? recorded.threshold,
    },
    experiment: null,
  }
}

const isApproval = (data: OutcomeRecorded['data']): boolean | undefined => {
  if (data.enforceFailure) return false
  const statusClass = recordedClassOf(data.status, data.statusClass)
  if (statusClass === 'SUCCESS') return true
  return statusClass === 'FAILURE' ? false : undefined
}

/**
 * A back-test of one merchant (part of analytics.md "Ours"): recorded decisions are made again under other settings, by the code
 * that makes them, on windows that have learned from the recorded outcomes as these settings would have had it. What it answers:
 * the share of approvals if each payment had been sent by the other settings, knowing what was recorded until then. What it can't
 * know: what they would have learned from payments that they would have sent elsewhere.
 */
export const createBackTest = (options: BackTestOptions): BackTest => {
  const { changes, startMs, endMs, decisionCountMax, eliminationRules = SHIPPED_ELIMINATION_RULES } = options
  const unset = createEliminationResolver(eliminationRules)({ settings: null, flag: false, requested: null })
  const fold = createPaymentFold()
  const waiting = new Map<string, WeighedDecision>()
  const ends = new Map<string, boolean>()
  let decisionCount = 0
  let unweighableCount = 0
  let isCut = false

  const weighed = (data: Decided, proposed: readonly number[]): WeighedDecision | undefined => {
    const recorded = choiceProbabilities(data)
    const chosen = data.candidates.indexOf(data.gateway)
    if (recorded === undefined || data.candidates.length < 2 || (recorded[chosen] ?? 0) === 0) return undefined
    return { gateway: data.gateway, gateways: data.candidates, recorded, proposed, expected: data.scores, chosen }
  }

  const decide = (event: GatewayDecided): WeighedDecision | undefined => {
    const { data } = event
    const one = caseOf(data, changes, unset)
    const priorityPlan = changes.priorityPlan ?? ((_, candidates) => ({ gateways: candidates, tag: null, algorithmId: null, run: null }))
    const { decision } = decideCase(one, { windows: fold, eliminationRules, priorityPlan }, null)
    fold.apply({ ...event, data: { ...data, knobs: one.knobs, elimination: one.elimination, dimension: one.dimension } })
    if (data.at < startMs || data.at >= endMs) return undefined
    decisionCount += 1
    if (waiting.size >= decisionCountMax) {
      isCut = true
      return undefined
    }
    const asDecided = { ...decision, rankingAlgorithm: one.request.rankingAlgorithm }
    const payment = weighed(data, choiceProbabilities(asDecided) ?? certain(decision))
    if (payment === undefined) unweighableCount += 1
    else waiting.set(data.paymentId, payment)
    return payment
  }

  const report = (event: OutcomeRecorded): void => {
    fold.apply(event)
    const { paymentId, gateway } = event.data
    const isApproved = isApproval(event.data)
    if (isApproved === undefined || event.data.excused || waiting.get(paymentId)?.gateway !== gateway) return
    // A success that follows a failure corrects it, as everywhere.
    ends.set(paymentId, isApproved || ends.get(paymentId) === true)
  }

  return {
    apply: (event) => {
      if (event.type === 'GatewayDecided') return decide(event)
      if (event.type === 'OutcomeRecorded') report(event)
      else fold.apply(event)
      return undefined
    },
    result: () => {
      const estimator = createEstimator()
      for (const [paymentId, isApproved] of ends) {
        const payment = waiting.get(paymentId)
        if (payment !== undefined) estimator.add({ ...payment, isApproved })
      }
      return { ...estimator.estimate(), decisionCount, unweighableCount, openCount: waiting.size - ends.size, isCut }
    },
  }
}
