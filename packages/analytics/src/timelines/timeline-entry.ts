import type { GatewayDecided, OutcomeError, OutcomeRecorded, RankingAlgorithm, RuleEvaluated } from '@switchyard/events'
import type { FlowType } from '../flows.ts'
import type { OutcomeClass } from '../outcome-status.ts'
import type { Disposition, GatewayNews } from '../recorded-payment.ts'

/** One step of a payment's life, or one evaluation of a rule; compact, everything else is derived when it is read. */
export interface TimelineEntry {
  readonly id: string
  readonly flow: FlowType
  /** Epoch milliseconds. */
  readonly at: number
  readonly requestId: string
  /** By which the caller finds the request; absent when it gave none, and in entries of earlier releases. */
  readonly caller?: CallerIds
  readonly stage: string
  readonly status: string
  readonly gateway: string | null
  readonly approach: string | null
  readonly ruleName: string | null
  readonly errorCode: string | null
  readonly errorMessage: string | null
  readonly paymentMethodType: string | null
  readonly paymentMethod: string | null
  /** Success rate of the gateway's window after the outcome, 0 to 1. */
  readonly score: number | null
  /** Real outcomes in that window. */
  readonly sampleCount: number | null
  readonly facts: EntryFacts
}

/** Ids of a request in the systems of its caller. */
export interface CallerIds {
  readonly traceId: string | null
  readonly globalRequestId: string | null
}

/** What is particular to the kind of entry. */
export type EntryFacts = DecisionFacts | RuleHitFacts | OutcomeFacts | EvaluationFacts | RefusalFacts

type Decision = GatewayDecided['data']
type Outcome = OutcomeRecorded['data']
type Evaluation = RuleEvaluated['data']

/** Part of a payment in an experiment. */
export type DecisionExperiment = NonNullable<Decision['experiment']>

/** Inputs and result of a decision. */
interface DecisionFacts
  extends Pick<Decision, 'paymentType' | 'amount' | 'currency' | 'country' | 'cardType' | 'cardNetwork' | 'cardIsIn'>,
    Pick<Decision, 'authType' | 'preferredGateway' | 'eliminationRequested' | 'multiObjectiveRequested' | 'candidates' | 'scores'>,
    Pick<
      Decision,
      'fallbacks' | 'gatewayBeforeEvaluation' | 'explored' | 'algorithmId' | 'latencyUs' | 'dimension' | 'knobs' | 'elimination'
    > {
  readonly kind: 'decision'
  /** Strategy asked for; a request that names none asks for the priority list. */
  readonly rankingAlgorithm: RankingAlgorithm
  /** What elimination knew; absent when nothing was down, and in entries of earlier releases. */
  readonly downtime?: Pick<Decision, 'down' | 'probe'>
  /** Networks by cost; absent when they were not asked for or could not be told, and in entries of earlier releases. */
  readonly network?: NonNullable<Decision['network']>
  /** Why networks that were asked for could not be told; absent otherwise. */
  readonly networkProblem?: string
  /** Absent without an experiment. */
  readonly experiment?: DecisionExperiment
  /** How cost was weighed; absent when it was not. */
  readonly costChoice?: NonNullable<Decision['costChoice']>
  /** What it costs where that was not weighed; absent when nothing is known of it. */
  readonly pricing?: NonNullable<Decision['pricing']>
}

/** A rule (or named algorithm) took part in a decision. */
interface RuleHitFacts {
  readonly kind: 'rule-hit'
  readonly candidates: readonly string[]
}

/** What was reported, and what it did. */
export interface OutcomeFacts
  extends Pick<Outcome, 'gatewayReferenceId' | 'enforceFailure' | 'gatewayLatencyMs' | 'smartRetry' | 'errorClass'> {
  readonly kind: 'outcome'
  readonly error: OutcomeError | null
  /** What the status says. */
  readonly outcomeClass: OutcomeClass
  readonly disposition: Disposition
  /** What it counted as; null when it was not counted. */
  readonly success: boolean | null
  /** Absent when there is none, and in entries of earlier releases. */
  readonly news?: GatewayNews
}

/** What the live algorithm answered. */
interface EvaluationFacts extends Pick<Evaluation, 'algorithmId' | 'evaluated' | 'eligible' | 'drawnSlot' | 'parameters'> {
  readonly kind: 'evaluation'
  readonly algorithmKind: Evaluation['kind']
  /** The arm of an experiment that chose the algorithm; absent without one. */
  readonly experiment?: { readonly id: string; readonly arm: string }
}

/** A call that failed. */
interface RefusalFacts {
  readonly kind: 'refusal'
  readonly rankingAlgorithm: string | null
}
