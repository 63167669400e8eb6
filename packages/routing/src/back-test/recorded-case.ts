import type { EliminationKnobs, GatewayDecided } from '@switchyard/events'
import type { Case } from '../decide/case.ts'
import type { PriorityPlan } from '../decide/decision.ts'
import type { DecisionRequest } from '../decide/request.ts'
import { dimensionOf } from '../scoring/dimension.ts'
import type { WeighingChanges } from './weigh-again.ts'

/** What shall be other than it was; what is absent stays as it was recorded with each decision. */
export interface BackTestChanges extends WeighingChanges {
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

/** A recorded decision as the other settings would have it. */
export const recordedCase = (data: Decided, changes: BackTestChanges, unset: EliminationKnobs): Case => {
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
