import type { PaymentAudit } from '@switchyard/analytics'
import { explorationDraw } from '@switchyard/routing'
import { costsPart } from '../routes/costs-part.ts'
import { newsDetails, reasonOf, requestAnswer } from '../routes/entry-details.ts'
import { experimentPart } from '../routes/experiment-part.ts'
import { freshnessAnswer } from '../routes/freshness-answer.ts'
import { networkAnswer } from '../routes/network-answer.ts'
import { type EntryOf, type PaymentStory, storyOf } from './decision-facts.ts'
import { winReasonOf } from './winner.ts'
import { storyInWords, timeOf } from './words.ts'

type Decision = EntryOf<'decision'>

const candidatesAnswer = ({ entry, facts }: Decision): readonly object[] => {
  const ranked = [entry.gateway, ...facts.fallbacks]
  return facts.candidates.map((gateway, index) => ({
    gateway,
    score: facts.scores[index] ?? null,
    rank: ranked.includes(gateway) ? ranked.indexOf(gateway) + 1 : null,
  }))
}

/** The windows that were read and are fed (decide.md 5.1); a field that is not part of the key is null. */
const keyAnswer = ({ facts: { dimension } }: Decision): object => ({
  payment_type: dimension.paymentType,
  payment_method_type: dimension.paymentMethodType,
  payment_method: dimension.paymentMethod,
  card_network: dimension.cardNetwork,
  card_is_in: dimension.cardIsIn,
  currency: dimension.currency,
  country: dimension.country,
  auth_type: dimension.authType,
  udfs: dimension.udfs,
  version: dimension.version,
})

/** Null for decisions of releases that did not record it. */
const sourcesAnswer = ({ facts: { knobs } }: Decision): object | null =>
  knobs.sources && {
    bucket_size: knobs.sources.bucketSize,
    hedging_percent: knobs.sources.hedgingPercent,
    latency_threshold_ms: knobs.sources.latencyThreshold,
    extra_scores: knobs.sources.extraScores,
  }

const settingsAnswer = ({ facts: { knobs } }: Decision): object => ({
  bucket_size: knobs.bucketSize,
  hedging_percent: knobs.hedgingPercent,
  latency_threshold_ms: knobs.latencyThresholdMs,
  outcome_window_ms: knobs.outcomeWindowMs,
  adaptive: knobs.adaptive,
  extra_scores: knobs.extraScores.map(({ gatewayName, gatewaySigmaFactor }) => ({
    gateway: gatewayName,
    sigma_factor: gatewaySigmaFactor,
  })),
})

/** Null when the release that decided knew no downtime. */
const downtimeAnswer = ({ facts: { elimination, downtime } }: Decision): object | null =>
  elimination && {
    enabled: elimination.enabled,
    threshold: elimination.threshold,
    latency_limit_ms: elimination.latencyLimitMs,
    half_life_ms: elimination.halfLifeMs,
    sample_count: elimination.sampleCount,
    failure_run_count: elimination.failureRunCount,
    recovery_run_count: elimination.recoveryRunCount,
    age_max_ms: elimination.ageMsMax,
    down_gateways: downtime?.down ?? [],
    probe: downtime?.probe ?? false,
  }

const decisionAnswer = (decision: Decision, paymentId: string): object => {
  const { entry, facts } = decision
  const { reason, inWords } = winReasonOf(decision)
  return {
    request_id: entry.requestId,
    decided_at: timeOf(entry.at),
    request: requestAnswer(entry, facts),
    candidates: candidatesAnswer(decision),
    scoring_key: keyAnswer(decision),
    settings: settingsAnswer(decision),
    settings_from: sourcesAnswer(decision),
    downtime: downtimeAnswer(decision),
    exploration: { explored: facts.explored, percent: facts.knobs.hedgingPercent, draw: explorationDraw(paymentId) },
    winner: { gateway: entry.gateway, reason, in_words: inWords },
    fallback_gateways: facts.fallbacks,
    gateway_before_evaluation: facts.gatewayBeforeEvaluation,
    routing_approach: entry.approach,
    debit_routing_output: networkAnswer(facts),
    network_problem: facts.networkProblem ?? null,
    experiment: experimentPart(facts.experiment),
    costs: costsPart(facts),
    routing_algorithm_id: facts.algorithmId,
    rule_name: entry.ruleName,
    latency_us: facts.latencyUs,
  }
}

const outcomeAnswer = ({ entry, facts }: EntryOf<'outcome'>): object => ({
  request_id: entry.requestId,
  reported_at: timeOf(entry.at),
  gateway: entry.gateway,
  status: entry.status,
  disposition: facts.disposition,
  counted_as: facts.success === null ? null : facts.success ? 'success' : 'failure',
  reason: reasonOf(facts),
  score_after: entry.score,
  sample_count: entry.sampleCount,
  ...newsDetails(facts),
  enforced_failure: facts.enforceFailure,
  gateway_latency_ms: facts.gatewayLatencyMs,
  error_code: entry.errorCode,
  error_message: entry.errorMessage,
  gsm_info: facts.errorClass,
})

const refusalAnswer = ({ entry }: EntryOf<'refusal'>): object => ({
  request_id: entry.requestId,
  refused_at: timeOf(entry.at),
  stage: entry.stage,
  error_code: entry.errorCode,
  error_message: entry.errorMessage,
})

const bodyOf = (story: PaymentStory): object => {
  const decision = story.decisions.at(-1)
  return {
    payment_id: story.paymentId,
    in_words: storyInWords(story),
    decision: decision === undefined ? null : decisionAnswer(decision, story.paymentId),
    earlier_decisions: story.decisions.slice(0, -1).map((earlier) => decisionAnswer(earlier, story.paymentId)),
    outcomes: story.outcomes.map(outcomeAnswer),
    refusals: story.refusals.map(refusalAnswer),
  }
}

/** The answer of `GET /decisions/{payment_id}`; undefined when nothing of the payment is known. */
export const explanationAnswer = (audit: PaymentAudit): object | undefined =>
  audit.timeline === null
    ? undefined
    : {
        merchant_id: audit.merchantId,
        verdict: audit.timeline.payment.verdict,
        ...bodyOf(storyOf(audit.timeline)),
        ...freshnessAnswer(audit.freshness),
      }
