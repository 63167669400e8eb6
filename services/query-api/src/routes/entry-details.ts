import type { Disposition, EntryFacts, TimelineEntry } from '@switchyard/analytics'
import { assertNever } from '@switchyard/kernel'
import { shownScore } from '@switchyard/routing'
import { costsPart } from './costs-part.ts'
import { experimentPart } from './experiment-part.ts'
import { networkAnswer } from './network-answer.ts'

const REASONS: Readonly<Record<Disposition, string>> = {
  counted: "The outcome counted in the gateway's success-rate window.",
  corrected:
    'An approval came after a failure of the same payment that had counted; where that one still stands in the window, it became an approval.',
  pending: 'The status is not final, so nothing was counted.',
  confirmed: 'The payment had counted as a failure already, because no final status came before the latency threshold was over.',
  repeated: 'The same result was reported before; nothing was counted twice.',
  conflicting: 'An approval was reported before; a later failure does not undo it.',
  excused: 'The failure says nothing about the gateway (error-code filter), so nothing was counted.',
  reset: 'The scores were reset after the decision of this payment, so the outcome does not count.',
  late: 'The outcome came too long after its decision to count in the window.',
  unscored: 'A fixed arm of an experiment decided the payment; the outcome counts in the experiment, not in the success rates.',
  foreign: 'The gateway was not a candidate of the decision, so the outcome does not count for it.',
  waiting:
    'No decision is known whose window could count it: none was made, networks alone made it, or it is too long ago. The outcome waits ten minutes for one and counts in no window without it.',
}

type FactsOf<Kind extends EntryFacts['kind']> = Extract<EntryFacts, { readonly kind: Kind }>

const OVERDUE = 'No final status came before the latency threshold was over, so the payment counted as a failure.'

/** Why an outcome did what it did, for people. */
export const reasonOf = ({ disposition, outcomeClass, enforceFailure }: FactsOf<'outcome'>): string =>
  disposition === 'counted' && outcomeClass === 'pending' && !enforceFailure ? OVERDUE : REASONS[disposition]

/** That a wish had no say, where it had none (decide.md 4.2). */
export const ignoredWishOf = ({ approach }: TimelineEntry, facts: FactsOf<'decision'>): string | null => {
  const { preferredGateway, rankingAlgorithm, candidates } = facts
  const isHybrid = rankingAlgorithm === 'NTW_SR_HYBRID_ROUTING' && candidates.length > 1
  const isRankedByScore = isHybrid || approach?.startsWith('SR_') === true
  return preferredGateway !== null && isRankedByScore ? 'Success-rate routing takes no account of the preferred gateway.' : null
}

/** What the figures alone don't say. */
const noteOf = (entry: TimelineEntry, facts: FactsOf<'decision'>): string | null =>
  facts.downtime?.probe ? 'The gateway is down; this payment tries whether it is back.' : ignoredWishOf(entry, facts)

/** What was asked for. */
export const requestAnswer = (entry: TimelineEntry, facts: FactsOf<'decision'>): object => ({
  ranking_algorithm: facts.rankingAlgorithm,
  payment_type: facts.paymentType,
  payment_method_type: entry.paymentMethodType,
  payment_method: entry.paymentMethod,
  amount: facts.amount,
  currency: facts.currency,
  country: facts.country,
  card_type: facts.cardType,
  card_network: facts.cardNetwork,
  card_is_in: facts.cardIsIn,
  auth_type: facts.authType,
  preferred_gateway: facts.preferredGateway,
  elimination_enabled: facts.eliminationRequested,
  multi_objective_enabled: facts.multiObjectiveRequested,
})

/** The scores as the decision was answered (analytics.md 4); `down_gateways` says whose are lower than what was seen. */
const scoresAnswer = ({ candidates, scores, downtime }: FactsOf<'decision'>): object =>
  Object.fromEntries(
    candidates.flatMap((gateway, index) => {
      const score = scores[index]
      return score === undefined ? [] : [[gateway, shownScore(gateway, score, downtime?.down ?? [])]]
    }),
  )

/** As every decision is answered: none resets a score (decide.md 17). */
const NO_RESET = 'NO_RESET'

const decisionDetails = (entry: TimelineEntry, facts: FactsOf<'decision'>): object => ({
  request: { ...requestAnswer(entry, facts), eligible_gateways: facts.candidates },
  response: {
    decided_gateway: entry.gateway,
    fallback_gateways: facts.fallbacks,
    routing_approach: entry.approach,
    explored: facts.explored,
    routing_algorithm_id: facts.algorithmId,
    debit_routing_output: networkAnswer(facts),
    latency_us: facts.latencyUs,
  },
  score_context: scoresAnswer(facts),
  costs: costsPart(facts),
  selection_reason: {
    decided_gateway: entry.gateway,
    routing_approach: entry.approach,
    gateway_before_evaluation: facts.gatewayBeforeEvaluation,
    priority_logic_tag: entry.ruleName,
    reset_approach: NO_RESET,
    down_gateways: facts.downtime?.down ?? [],
    probe: facts.downtime?.probe ?? false,
    network_problem: facts.networkProblem ?? null,
    experiment: experimentPart(facts.experiment),
    note: noteOf(entry, facts),
  },
})

const errorDetails = ({ error }: FactsOf<'outcome'>): object | null =>
  error && {
    flow: error.flow,
    sub_flow: error.subFlow,
    error_code: error.errorCode,
    error_message: error.errorMessage,
    issuer_error_code: error.issuerErrorCode,
    card_network: error.cardNetwork,
  }

/** What a report did beside counting: slow successes, gateways that went down or came back, outcomes that a window dropped. */
export const newsDetails = ({ news }: FactsOf<'outcome'>): object => ({
  slow: news?.slow ?? false,
  gateway_health: news?.health ?? null,
  dropped_outcomes: news?.dropped
    ? { count: news.dropped.count, older_rate: news.dropped.olderRate, newer_rate: news.dropped.newerRate }
    : null,
})

const outcomeDetails = (entry: TimelineEntry, facts: FactsOf<'outcome'>): object => ({
  request: {
    gateway: entry.gateway,
    status: entry.status,
    gateway_reference_id: facts.gatewayReferenceId,
    enforce_dynamic_routing_failure: facts.enforceFailure,
    txn_latency: facts.gatewayLatencyMs,
    is_smart_retry: facts.smartRetry,
    error_info: errorDetails(facts),
  },
  ...(facts.errorClass !== null && { response: { gsm_info: facts.errorClass } }),
  selection_reason: {
    disposition: facts.disposition,
    counted_as: facts.success === null ? null : facts.success ? 'success' : 'failure',
    reason: reasonOf(facts),
    ...newsDetails(facts),
  },
})

const evaluationDetails = (entry: TimelineEntry, facts: FactsOf<'evaluation'>): object => ({
  request: { parameters: facts.parameters },
  response: {
    status: entry.status,
    gateway: entry.gateway,
    evaluated: facts.evaluated,
    eligible: facts.eligible,
    drawn_slot: facts.drawnSlot,
  },
  rule_name: entry.ruleName,
  preview_kind: facts.algorithmKind.toLowerCase(),
  routing_algorithm_id: facts.algorithmId,
  ...(facts.experiment && { experiment_id: facts.experiment.id, variant_arm: facts.experiment.arm.toLowerCase() }),
})

/** The structured details of an entry (analytics.md 3.2), always complete: entries are bounded by their fields, not by cutting text. */
export const detailsOf = (entry: TimelineEntry): object => {
  const { facts } = entry
  switch (facts.kind) {
    case 'decision':
      return decisionDetails(entry, facts)
    case 'rule-hit':
      return { functional_gateways: facts.candidates, experiment_tag: null }
    case 'outcome':
      return outcomeDetails(entry, facts)
    case 'evaluation':
      return evaluationDetails(entry, facts)
    case 'refusal':
      return { request: { ranking_algorithm: facts.rankingAlgorithm }, error: { code: entry.errorCode, message: entry.errorMessage } }
    default:
      return assertNever(facts)
  }
}
