// Generated from schemas/ by `npm run generate`. Do not edit.
import type { AlgorithmKind, CostChoice, EliminationKnobs, EvaluationStatus, ExperimentArm, ExperimentAssignment, GatewayErrorClass, NetworkCosts, OutcomeError, OutcomeStatusClass, PaymentPricing, RankingAlgorithm, RefusedPayment, ResetCause, ScoringDimension, ScoringKnobs, UploadLine } from './shared.ts'

/** API keys of a merchant were used in the minute before; told once a minute by each process. */
export interface ApiKeysUsed {
  readonly type: 'ApiKeysUsed'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** Id of what is told; no request leads to it. */
    readonly requestId: string
    /** When it was told, epoch milliseconds. */
    readonly at: number
    /** Public ids of the keys. */
    readonly keyIds: readonly string[]
  }
}

/** A decision could not be made. */
export interface DecisionRefused {
  readonly type: 'DecisionRefused'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** The payment, when it was readable. */
    readonly paymentId: string | null
    /** Request that led to the event. */
    readonly requestId: string
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
    /** Strategy asked for. */
    readonly rankingAlgorithm: string | null
    /** Where it failed. */
    readonly stage: string
    /** Code answered. */
    readonly errorCode: string
    /** Message answered. */
    readonly errorMessage: string
    /** Label answered. */
    readonly approach: string | null
    /** What was readable of the payment; null when nothing was. */
    readonly payment: RefusedPayment | null
  }
}

/** A gateway was chosen for a payment. */
export interface GatewayDecided {
  readonly type: 'GatewayDecided'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** The payment. */
    readonly paymentId: string
    /** Request that led to the event. */
    readonly requestId: string
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
    /** Strategy asked for; null when none was, which is answered like PL_BASED_ROUTING. */
    readonly rankingAlgorithm: RankingAlgorithm | null
    /** For example ORDER_PAYMENT. */
    readonly paymentType: string
    /** As sent, for example CARD. */
    readonly paymentMethodType: string
    /** As sent, for example CREDIT. */
    readonly paymentMethod: string
    /** Amount in major currency units, as sent. */
    readonly amount: number
    /** ISO 4217 code. */
    readonly currency: string
    /** ISO 3166 alpha-2 code. */
    readonly country: string | null
    /** As sent. */
    readonly cardType: string | null
    /** As sent. */
    readonly cardNetwork: string | null
    /** First digits of the card number. */
    readonly cardIsIn: string | null
    /** As sent. */
    readonly authType: string | null
    /** Wish of the merchant. */
    readonly preferredGateway: string | null
    /** The request's own switch. */
    readonly eliminationRequested: boolean | null
    /** The request's own switch. */
    readonly multiObjectiveRequested: boolean | null
    /** Gateways that were eligible, without duplicates, in the order sent. */
    readonly candidates: readonly string[]
    /** Score seen of each candidate, in their order; empty when none was computed. */
    readonly scores: readonly number[]
    /** The chosen gateway. */
    readonly gateway: string
    /** The other gateways, best first. */
    readonly fallbacks: readonly string[]
    /** Label of the way it was chosen. */
    readonly approach: string
    /** Best gateway before elimination and cost. */
    readonly gatewayBeforeEvaluation: string | null
    /** Whether the payment explored another than the best gateway. */
    readonly explored: boolean
    /** Routing algorithm that was used. */
    readonly algorithmId: string | null
    /** Rule or algorithm name. */
    readonly priorityLogicTag: string | null
    /** Windows read and fed. */
    readonly dimension: ScoringDimension
    /** Resolved settings. */
    readonly knobs: ScoringKnobs
    /** Time to decide in microseconds. */
    readonly latencyUs: number | null
    /** Resolved settings of elimination; null in events of releases that knew none. */
    readonly elimination: EliminationKnobs | null
    /** Candidates that were down; their scores count a fifth in the answer. */
    readonly down: readonly string[]
    /** Whether the payment tries a gateway that is down. */
    readonly probe: boolean
    /** Networks by cost; null when they were not asked for, or could not be told. */
    readonly network: NetworkCosts | null
    /** Why the networks that were asked for could not be told. */
    readonly networkProblem: string | null
    /** Part in the merchant's live experiment; null without one. */
    readonly experiment: ExperimentAssignment | null
    /** Which registration of the merchant id it was made for, from 1; 0: the release before this field. Of an earlier registration it has no effect. */
    readonly merchantRegistrationCount: number
    /** How approval and cost were weighed; null when they were not. */
    readonly costChoice: CostChoice | null
    /** What the payment costs where costChoice ranks nothing; null when nothing is known of it. */
    readonly pricing: PaymentPricing | null
  }
}

/** The success-rate scores of a merchant begin anew: outcomes of decisions that stand before this event count in no window. */
export interface GatewayScoresReset {
  readonly type: 'GatewayScoresReset'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** Request that led to the event. */
    readonly requestId: string
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
    /** Why they were reset. */
    readonly cause: ResetCause
    /** The registration of the merchant id that counts from here on, from 1; what an earlier one left behind is over. 0: the release before this field. */
    readonly merchantRegistrationCount: number
  }
}

/** A gateway's answer to a payment was reported. */
export interface OutcomeRecorded {
  readonly type: 'OutcomeRecorded'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** The payment. */
    readonly paymentId: string
    /** Request that led to the event. */
    readonly requestId: string
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
    /** The gateway that processed the attempt. */
    readonly gateway: string
    /** Status as reported. */
    readonly status: string
    /** What the status said when it was reported; null and UNKNOWN leave it to the reader. */
    readonly statusClass: OutcomeStatusClass | null
    /** Account at the gateway. */
    readonly gatewayReferenceId: string | null
    /** Count as failure whatever the status. */
    readonly enforceFailure: boolean
    /** Latency of the gateway in milliseconds. */
    readonly gatewayLatencyMs: number | null
    /** Whether the attempt was a smart retry. */
    readonly smartRetry: boolean | null
    /** What the gateway said. */
    readonly error: OutcomeError | null
    /** What the deployment's error-code table said of the error. */
    readonly errorClass: GatewayErrorClass | null
    /** Whether a failure says nothing about the gateway (the merchant's error-code filter): it then counts in no window. */
    readonly excused: boolean
    /** Line of an upload that can be repeated; null for a report of its own. */
    readonly upload: UploadLine | null
    /** Which registration of the merchant id it was reported to, from 1; 0: the release before this field. Of an earlier registration it has no effect. */
    readonly merchantRegistrationCount: number
  }
}

/** A report of an outcome could not be read. */
export interface OutcomeRefused {
  readonly type: 'OutcomeRefused'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** The payment, when it was readable. */
    readonly paymentId: string | null
    /** Request that led to the event. */
    readonly requestId: string
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
    /** Where it failed. */
    readonly stage: string
    /** Code answered. */
    readonly errorCode: string
    /** Message answered. */
    readonly errorMessage: string
    /** The gateway that the report was about, when it was readable. */
    readonly gateway: string | null
  }
}

/** The live algorithm was evaluated for a set of parameters. */
export interface RuleEvaluated {
  readonly type: 'RuleEvaluated'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** The payment, when one was named. */
    readonly paymentId: string | null
    /** Request that led to the event. */
    readonly requestId: string
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
    /** The algorithm, unique within the merchant. */
    readonly algorithmId: string
    /** Form of the algorithm. */
    readonly kind: AlgorithmKind
    /** Whether a rule matched. */
    readonly status: EvaluationStatus
    /** Rule that matched. */
    readonly ruleName: string | null
    /** Head of the answer. */
    readonly gateway: string | null
    /** Gateways answered, best first. */
    readonly evaluated: readonly string[]
    /** Distinct eligible gateways. */
    readonly eligible: readonly string[]
    /** Index of the split that was drawn. */
    readonly drawnSlot: number | null
    /** Parameters of the request as text. */
    readonly parameters: Readonly<Record<string, string>>
    /** Experiment that chose the algorithm; null without one. */
    readonly experimentId: string | null
    /** Arm of that experiment. */
    readonly experimentArm: ExperimentArm | null
  }
}

/** The live algorithm could not be evaluated. */
export interface RuleEvaluationRefused {
  readonly type: 'RuleEvaluationRefused'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** The payment, when one was named. */
    readonly paymentId: string | null
    /** Request that led to the event. */
    readonly requestId: string
    /** When the command was decided, epoch milliseconds. */
    readonly at: number
    /** Where it failed. */
    readonly stage: string
    /** Code answered. */
    readonly errorCode: string
    /** Message answered. */
    readonly errorMessage: string
  }
}

/** Every event of the topic `payments`. */
export type PaymentsEvent =
  | ApiKeysUsed
  | DecisionRefused
  | GatewayDecided
  | GatewayScoresReset
  | OutcomeRecorded
  | OutcomeRefused
  | RuleEvaluated
  | RuleEvaluationRefused
