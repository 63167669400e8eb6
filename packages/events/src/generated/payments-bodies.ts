// Generated from schemas/ by `npm run generate`. Do not edit.
import { type BodyReader, recurring } from '../body-reader.ts'
import { type BodyWriter, writtenOnce } from '../body-writer.ts'
import type { ApiKeysUsed, DecisionRefused, GatewayDecided, GatewayScoresReset, OutcomeRecorded, OutcomeRefused, PaymentsEvent, RuleEvaluated, RuleEvaluationRefused } from './payments.ts'
import type { AlgorithmKind, CardDataSource, CostChoice, CostChoiceCause, CostOutcome, CostSource, EliminationKnobs, EvaluationStatus, ExperimentArm, ExperimentAssignment, ExperimentExclusion, ExperimentOverrides, GatewayErrorClass, GatewayExtraScore, KnobSource, KnobSources, NetworkCosts, NetworkOption, OutcomeError, OutcomeStatusClass, PaymentPricing, RankingAlgorithm, RefusedPayment, ResetCause, ScoringDimension, ScoringKnobs, UploadLine, WeighedGateway } from './shared.ts'

const writeRefusedPayment = (to: BodyWriter, data: RefusedPayment): void => {
  if (to.isSome(data.paymentMethodType)) to.string(data.paymentMethodType)
  if (to.isSome(data.paymentMethod)) to.string(data.paymentMethod)
  if (to.isSome(data.cardNetwork)) to.string(data.cardNetwork)
  if (to.isSome(data.cardIsIn)) to.string(data.cardIsIn)
  if (to.isSome(data.currency)) to.string(data.currency)
  if (to.isSome(data.country)) to.string(data.country)
  if (to.isSome(data.authType)) to.string(data.authType)
}
const readRefusedPayment = (from: BodyReader): RefusedPayment => ({
  paymentMethodType: from.isNone() ? null : from.string(),
  paymentMethod: from.isNone() ? null : from.string(),
  cardNetwork: from.isNone() ? null : from.string(),
  cardIsIn: from.isNone() ? null : from.string(),
  currency: from.isNone() ? null : from.string(),
  country: from.isNone() ? null : from.string(),
  authType: from.isNone() ? null : from.string(),
})

const RANKING_ALGORITHM: readonly RankingAlgorithm[] = ['PL_BASED_ROUTING', 'SR_BASED_ROUTING', 'NTW_BASED_ROUTING', 'NTW_SR_HYBRID_ROUTING']

const writeScoringDimension = writtenOnce((to: BodyWriter, data: ScoringDimension): void => {
  to.string(data.paymentType)
  to.string(data.paymentMethodType)
  to.string(data.paymentMethod)
  if (to.isSome(data.cardNetwork)) to.string(data.cardNetwork)
  if (to.isSome(data.cardIsIn)) to.string(data.cardIsIn)
  if (to.isSome(data.currency)) to.string(data.currency)
  if (to.isSome(data.country)) to.string(data.country)
  if (to.isSome(data.authType)) to.string(data.authType)
  for (const item of to.items(data.udfs)) if (to.isSome(item)) to.string(item)
  to.end()
  to.int(data.version)
})
const readScoringDimension = recurring((from: BodyReader): ScoringDimension => ({
  paymentType: from.string(),
  paymentMethodType: from.string(),
  paymentMethod: from.string(),
  cardNetwork: from.isNone() ? null : from.string(),
  cardIsIn: from.isNone() ? null : from.string(),
  currency: from.isNone() ? null : from.string(),
  country: from.isNone() ? null : from.string(),
  authType: from.isNone() ? null : from.string(),
  udfs: from.items((from) => from.isNone() ? null : from.string()),
  version: from.int(),
}))

const writeGatewayExtraScore = (to: BodyWriter, data: GatewayExtraScore): void => {
  to.string(data.gatewayName)
  to.double(data.gatewaySigmaFactor)
}
const readGatewayExtraScore = (from: BodyReader): GatewayExtraScore => ({
  gatewayName: from.string(),
  gatewaySigmaFactor: from.double(),
})

const KNOB_SOURCE: readonly KnobSource[] = ['UNKNOWN', 'MERCHANT_ROW', 'MERCHANT_DEFAULT', 'DEPLOYMENT_ROW', 'DEPLOYMENT_DEFAULT', 'CONSTANT', 'EXPERIMENT']

const writeKnobSources = (to: BodyWriter, data: KnobSources): void => {
  to.symbol(KNOB_SOURCE, data.bucketSize)
  to.symbol(KNOB_SOURCE, data.hedgingPercent)
  to.symbol(KNOB_SOURCE, data.latencyThreshold)
  to.symbol(KNOB_SOURCE, data.extraScores)
}
const readKnobSources = (from: BodyReader): KnobSources => ({
  bucketSize: from.symbol(KNOB_SOURCE),
  hedgingPercent: from.symbol(KNOB_SOURCE),
  latencyThreshold: from.symbol(KNOB_SOURCE),
  extraScores: from.symbol(KNOB_SOURCE),
})

const writeScoringKnobs = writtenOnce((to: BodyWriter, data: ScoringKnobs): void => {
  to.int(data.bucketSize)
  to.double(data.hedgingPercent)
  to.long(data.latencyThresholdMs)
  if (to.isSome(data.outcomeWindowMs)) to.long(data.outcomeWindowMs)
  to.boolean(data.adaptive)
  for (const item of to.items(data.extraScores)) writeGatewayExtraScore(to, item)
  to.end()
  if (to.isSome(data.sources)) writeKnobSources(to, data.sources)
})
const readScoringKnobs = recurring((from: BodyReader): ScoringKnobs => ({
  bucketSize: from.int(),
  hedgingPercent: from.double(),
  latencyThresholdMs: from.long(),
  outcomeWindowMs: from.isNone() ? null : from.long(),
  adaptive: from.boolean(),
  extraScores: from.items(readGatewayExtraScore),
  sources: from.isNone() ? null : readKnobSources(from),
}))

const writeEliminationKnobs = writtenOnce((to: BodyWriter, data: EliminationKnobs): void => {
  to.boolean(data.enabled)
  to.double(data.threshold)
  if (to.isSome(data.latencyLimitMs)) to.double(data.latencyLimitMs)
  to.long(data.halfLifeMs)
  to.double(data.sampleCount)
  to.int(data.failureRunCount)
  to.int(data.recoveryRunCount)
  to.long(data.ageMsMax)
})
const readEliminationKnobs = recurring((from: BodyReader): EliminationKnobs => ({
  enabled: from.boolean(),
  threshold: from.double(),
  latencyLimitMs: from.isNone() ? null : from.double(),
  halfLifeMs: from.long(),
  sampleCount: from.double(),
  failureRunCount: from.int(),
  recoveryRunCount: from.int(),
  ageMsMax: from.long(),
}))

const writeNetworkOption = (to: BodyWriter, data: NetworkOption): void => {
  to.string(data.network)
  to.double(data.fee)
  to.double(data.savingPercent)
}
const readNetworkOption = (from: BodyReader): NetworkOption => ({
  network: from.string(),
  fee: from.double(),
  savingPercent: from.double(),
})

const CARD_DATA_SOURCE: readonly CardDataSource[] = ['UNKNOWN', 'METADATA', 'BIN_TABLE']

const writeNetworkCosts = (to: BodyWriter, data: NetworkCosts): void => {
  for (const item of to.items(data.options)) writeNetworkOption(to, item)
  to.end()
  for (const item of to.items(data.skipped)) to.string(item)
  to.end()
  to.string(data.issuerCountry)
  to.string(data.acquirerCountry)
  to.boolean(data.isRegulated)
  if (to.isSome(data.regulatedName)) to.string(data.regulatedName)
  to.string(data.cardType)
  to.symbol(CARD_DATA_SOURCE, data.source)
  to.string(data.category)
  to.string(data.feeTableVersion)
}
const readNetworkCostsSkipped = recurring((from) => from.items((from) => from.string()))
const readNetworkCosts = (from: BodyReader): NetworkCosts => ({
  options: from.items(readNetworkOption),
  skipped: readNetworkCostsSkipped(from),
  issuerCountry: from.string(),
  acquirerCountry: from.string(),
  isRegulated: from.boolean(),
  regulatedName: from.isNone() ? null : from.string(),
  cardType: from.string(),
  source: from.symbol(CARD_DATA_SOURCE),
  category: from.string(),
  feeTableVersion: from.string(),
})

const EXPERIMENT_ARM: readonly ExperimentArm[] = ['UNKNOWN', 'CONTROL', 'VARIANT']

const writeExperimentOverrides = (to: BodyWriter, data: ExperimentOverrides): void => {
  if (to.isSome(data.hedgingPercent)) to.double(data.hedgingPercent)
  if (to.isSome(data.eliminationThreshold)) to.double(data.eliminationThreshold)
  if (to.isSome(data.multiObjective)) to.boolean(data.multiObjective)
  if (to.isSome(data.margin)) to.double(data.margin)
  if (to.isSome(data.useAutopilot)) to.boolean(data.useAutopilot)
}
const readExperimentOverrides = (from: BodyReader): ExperimentOverrides => ({
  hedgingPercent: from.isNone() ? null : from.double(),
  eliminationThreshold: from.isNone() ? null : from.double(),
  multiObjective: from.isNone() ? null : from.boolean(),
  margin: from.isNone() ? null : from.double(),
  useAutopilot: from.isNone() ? null : from.boolean(),
})

const EXPERIMENT_EXCLUSION: readonly ExperimentExclusion[] = ['UNKNOWN', 'ALGORITHM_MISSING', 'ALGORITHM_FAILED', 'NO_CANDIDATE']

const writeExperimentAssignment = (to: BodyWriter, data: ExperimentAssignment): void => {
  to.string(data.experimentId)
  to.symbol(EXPERIMENT_ARM, data.arm)
  if (to.isSome(data.algorithmId)) to.string(data.algorithmId)
  if (to.isSome(data.overrides)) writeExperimentOverrides(to, data.overrides)
  if (to.isSome(data.exclusion)) to.symbol(EXPERIMENT_EXCLUSION, data.exclusion)
}
const readExperimentAssignment = recurring((from: BodyReader): ExperimentAssignment => ({
  experimentId: from.string(),
  arm: from.symbol(EXPERIMENT_ARM),
  algorithmId: from.isNone() ? null : from.string(),
  overrides: from.isNone() ? null : readExperimentOverrides(from),
  exclusion: from.isNone() ? null : from.symbol(EXPERIMENT_EXCLUSION),
}))

const COST_OUTCOME: readonly CostOutcome[] = ['UNKNOWN', 'COST_WON', 'AUTH_WON']

const COST_CHOICE_CAUSE: readonly CostChoiceCause[] = ['UNKNOWN', 'ONE_CANDIDATE', 'NO_SCORE', 'HEAD_WITHOUT_COST', 'HEAD_WITHOUT_PROFIT', 'HEAD_BEST', 'PROMOTED']

const COST_SOURCE: readonly CostSource[] = ['UNKNOWN', 'CLUSTER_OVERRIDE', 'CONNECTOR_OVERRIDE', 'EXACT', 'PRODUCTS', 'VARIANTS', 'REGION', 'CONTRACT']

const writeWeighedGateway = (to: BodyWriter, data: WeighedGateway): void => {
  to.string(data.gateway)
  to.double(data.authRatio)
  to.double(data.costBps)
  to.double(data.pctBps)
  to.double(data.fixed)
  to.double(data.expectedRatio)
  to.symbol(COST_SOURCE, data.source)
  if (to.isSome(data.interchangeCategory)) to.string(data.interchangeCategory)
}
const readWeighedGateway = (from: BodyReader): WeighedGateway => ({
  gateway: from.string(),
  authRatio: from.double(),
  costBps: from.double(),
  pctBps: from.double(),
  fixed: from.double(),
  expectedRatio: from.double(),
  source: from.symbol(COST_SOURCE),
  interchangeCategory: from.isNone() ? null : from.string(),
})

const writeCostChoice = (to: BodyWriter, data: CostChoice): void => {
  to.symbol(COST_OUTCOME, data.outcome)
  to.symbol(COST_CHOICE_CAUSE, data.cause)
  to.double(data.marginRatio)
  if (to.isSome(data.head)) to.string(data.head)
  if (to.isSome(data.chosen)) to.string(data.chosen)
  if (to.isSome(data.costSavedBps)) to.double(data.costSavedBps)
  if (to.isSome(data.gapRatio)) to.double(data.gapRatio)
  for (const item of to.items(data.ranked)) writeWeighedGateway(to, item)
  to.end()
  if (to.isSome(data.modelVersion)) to.string(data.modelVersion)
}
const readCostChoice = (from: BodyReader): CostChoice => ({
  outcome: from.symbol(COST_OUTCOME),
  cause: from.symbol(COST_CHOICE_CAUSE),
  marginRatio: from.double(),
  head: from.isNone() ? null : from.string(),
  chosen: from.isNone() ? null : from.string(),
  costSavedBps: from.isNone() ? null : from.double(),
  gapRatio: from.isNone() ? null : from.double(),
  ranked: from.items(readWeighedGateway),
  modelVersion: from.isNone() ? null : from.string(),
})

const writePaymentPricing = (to: BodyWriter, data: PaymentPricing): void => {
  for (const item of to.items(data.costsBps)) if (to.isSome(item)) to.double(item)
  to.end()
  to.double(data.marginRatio)
  to.boolean(data.wanted)
}
const readPaymentPricing = (from: BodyReader): PaymentPricing => ({
  costsBps: from.items((from) => from.isNone() ? null : from.double()),
  marginRatio: from.double(),
  wanted: from.boolean(),
})

const RESET_CAUSE: readonly ResetCause[] = ['UNKNOWN', 'REQUESTED', 'REGISTERED_AGAIN', 'CLOSED']

const OUTCOME_STATUS_CLASS: readonly OutcomeStatusClass[] = ['UNKNOWN', 'SUCCESS', 'FAILURE', 'OPEN']

const writeOutcomeError = (to: BodyWriter, data: OutcomeError): void => {
  to.string(data.flow)
  to.string(data.subFlow)
  if (to.isSome(data.errorCode)) to.string(data.errorCode)
  if (to.isSome(data.errorMessage)) to.string(data.errorMessage)
  if (to.isSome(data.issuerErrorCode)) to.string(data.issuerErrorCode)
  if (to.isSome(data.cardNetwork)) to.string(data.cardNetwork)
}
const readOutcomeError = (from: BodyReader): OutcomeError => ({
  flow: from.string(),
  subFlow: from.string(),
  errorCode: from.isNone() ? null : from.string(),
  errorMessage: from.isNone() ? null : from.string(),
  issuerErrorCode: from.isNone() ? null : from.string(),
  cardNetwork: from.isNone() ? null : from.string(),
})

const writeGatewayErrorClass = (to: BodyWriter, data: GatewayErrorClass): void => {
  to.string(data.decision)
  to.boolean(data.stepUpPossible)
  to.boolean(data.clearPanPossible)
  to.boolean(data.alternateNetworkPossible)
  if (to.isSome(data.unifiedCode)) to.string(data.unifiedCode)
  if (to.isSome(data.unifiedMessage)) to.string(data.unifiedMessage)
  if (to.isSome(data.errorCategory)) to.string(data.errorCategory)
  if (to.isSome(data.standardisedCode)) to.string(data.standardisedCode)
  if (to.isSome(data.description)) to.string(data.description)
  if (to.isSome(data.userGuidanceMessage)) to.string(data.userGuidanceMessage)
}
const readGatewayErrorClass = (from: BodyReader): GatewayErrorClass => ({
  decision: from.string(),
  stepUpPossible: from.boolean(),
  clearPanPossible: from.boolean(),
  alternateNetworkPossible: from.boolean(),
  unifiedCode: from.isNone() ? null : from.string(),
  unifiedMessage: from.isNone() ? null : from.string(),
  errorCategory: from.isNone() ? null : from.string(),
  standardisedCode: from.isNone() ? null : from.string(),
  description: from.isNone() ? null : from.string(),
  userGuidanceMessage: from.isNone() ? null : from.string(),
})

const writeUploadLine = (to: BodyWriter, data: UploadLine): void => {
  to.string(data.key)
  to.int(data.line)
}
const readUploadLine = (from: BodyReader): UploadLine => ({
  key: from.string(),
  line: from.int(),
})

const ALGORITHM_KIND: readonly AlgorithmKind[] = ['UNKNOWN', 'SINGLE', 'PRIORITY', 'VOLUME_SPLIT', 'ADVANCED', 'AB_TEST']

const EVALUATION_STATUS: readonly EvaluationStatus[] = ['UNKNOWN', 'SUCCESS', 'DEFAULT_SELECTION']

const writeApiKeysUsed = (to: BodyWriter, data: ApiKeysUsed['data']): void => {
  to.string(data.merchantId)
  to.string(data.requestId)
  to.long(data.at)
  for (const item of to.items(data.keyIds)) to.string(item)
  to.end()
}
const readApiKeysUsedKeyIds = recurring((from) => from.items((from) => from.string()))
const readApiKeysUsed = (from: BodyReader): ApiKeysUsed['data'] => ({
  merchantId: from.string(),
  requestId: from.newString(),
  at: from.long(),
  keyIds: readApiKeysUsedKeyIds(from),
})

const writeDecisionRefused = (to: BodyWriter, data: DecisionRefused['data']): void => {
  to.string(data.merchantId)
  if (to.isSome(data.paymentId)) to.string(data.paymentId)
  to.string(data.requestId)
  to.long(data.at)
  if (to.isSome(data.rankingAlgorithm)) to.string(data.rankingAlgorithm)
  to.string(data.stage)
  to.string(data.errorCode)
  to.string(data.errorMessage)
  if (to.isSome(data.approach)) to.string(data.approach)
  if (to.isSome(data.payment)) writeRefusedPayment(to, data.payment)
}
const readDecisionRefused = (from: BodyReader): DecisionRefused['data'] => ({
  merchantId: from.string(),
  paymentId: from.isNone() ? null : from.string(),
  requestId: from.newString(),
  at: from.long(),
  rankingAlgorithm: from.isNone() ? null : from.string(),
  stage: from.string(),
  errorCode: from.string(),
  errorMessage: from.string(),
  approach: from.isNone() ? null : from.string(),
  payment: from.isNone() ? null : readRefusedPayment(from),
})

const writeGatewayDecided = (to: BodyWriter, data: GatewayDecided['data']): void => {
  to.string(data.merchantId)
  to.string(data.paymentId)
  to.string(data.requestId)
  to.long(data.at)
  if (to.isSome(data.rankingAlgorithm)) to.symbol(RANKING_ALGORITHM, data.rankingAlgorithm)
  to.string(data.paymentType)
  to.string(data.paymentMethodType)
  to.string(data.paymentMethod)
  to.double(data.amount)
  to.string(data.currency)
  if (to.isSome(data.country)) to.string(data.country)
  if (to.isSome(data.cardType)) to.string(data.cardType)
  if (to.isSome(data.cardNetwork)) to.string(data.cardNetwork)
  if (to.isSome(data.cardIsIn)) to.string(data.cardIsIn)
  if (to.isSome(data.authType)) to.string(data.authType)
  if (to.isSome(data.preferredGateway)) to.string(data.preferredGateway)
  if (to.isSome(data.eliminationRequested)) to.boolean(data.eliminationRequested)
  if (to.isSome(data.multiObjectiveRequested)) to.boolean(data.multiObjectiveRequested)
  for (const item of to.items(data.candidates)) to.string(item)
  to.end()
  for (const item of to.items(data.scores)) to.double(item)
  to.end()
  to.string(data.gateway)
  for (const item of to.items(data.fallbacks)) to.string(item)
  to.end()
  to.string(data.approach)
  if (to.isSome(data.gatewayBeforeEvaluation)) to.string(data.gatewayBeforeEvaluation)
  to.boolean(data.explored)
  if (to.isSome(data.algorithmId)) to.string(data.algorithmId)
  if (to.isSome(data.priorityLogicTag)) to.string(data.priorityLogicTag)
  writeScoringDimension(to, data.dimension)
  writeScoringKnobs(to, data.knobs)
  if (to.isSome(data.latencyUs)) to.int(data.latencyUs)
  if (to.isSome(data.elimination)) writeEliminationKnobs(to, data.elimination)
  for (const item of to.items(data.down)) to.string(item)
  to.end()
  to.boolean(data.probe)
  if (to.isSome(data.network)) writeNetworkCosts(to, data.network)
  if (to.isSome(data.networkProblem)) to.string(data.networkProblem)
  if (to.isSome(data.experiment)) writeExperimentAssignment(to, data.experiment)
  to.int(data.merchantRegistrationCount)
  if (to.isSome(data.costChoice)) writeCostChoice(to, data.costChoice)
  if (to.isSome(data.pricing)) writePaymentPricing(to, data.pricing)
}
const readGatewayDecidedCandidates = recurring((from) => from.items((from) => from.string()))
const readGatewayDecidedFallbacks = recurring((from) => from.items((from) => from.string()))
const readGatewayDecidedDown = recurring((from) => from.items((from) => from.string()))
const readGatewayDecided = (from: BodyReader): GatewayDecided['data'] => ({
  merchantId: from.string(),
  paymentId: from.newString(),
  requestId: from.newString(),
  at: from.long(),
  rankingAlgorithm: from.isNone() ? null : from.symbol(RANKING_ALGORITHM),
  paymentType: from.string(),
  paymentMethodType: from.string(),
  paymentMethod: from.string(),
  amount: from.double(),
  currency: from.string(),
  country: from.isNone() ? null : from.string(),
  cardType: from.isNone() ? null : from.string(),
  cardNetwork: from.isNone() ? null : from.string(),
  cardIsIn: from.isNone() ? null : from.string(),
  authType: from.isNone() ? null : from.string(),
  preferredGateway: from.isNone() ? null : from.string(),
  eliminationRequested: from.isNone() ? null : from.boolean(),
  multiObjectiveRequested: from.isNone() ? null : from.boolean(),
  candidates: readGatewayDecidedCandidates(from),
  scores: from.items((from) => from.double()),
  gateway: from.string(),
  fallbacks: readGatewayDecidedFallbacks(from),
  approach: from.string(),
  gatewayBeforeEvaluation: from.isNone() ? null : from.string(),
  explored: from.boolean(),
  algorithmId: from.isNone() ? null : from.string(),
  priorityLogicTag: from.isNone() ? null : from.string(),
  dimension: readScoringDimension(from),
  knobs: readScoringKnobs(from),
  latencyUs: from.isNone() ? null : from.int(),
  elimination: from.isNone() ? null : readEliminationKnobs(from),
  down: readGatewayDecidedDown(from),
  probe: from.boolean(),
  network: from.isNone() ? null : readNetworkCosts(from),
  networkProblem: from.isNone() ? null : from.string(),
  experiment: from.isNone() ? null : readExperimentAssignment(from),
  merchantRegistrationCount: from.int(),
  costChoice: from.isNone() ? null : readCostChoice(from),
  pricing: from.isNone() ? null : readPaymentPricing(from),
})

const writeGatewayScoresReset = (to: BodyWriter, data: GatewayScoresReset['data']): void => {
  to.string(data.merchantId)
  to.string(data.requestId)
  to.long(data.at)
  to.symbol(RESET_CAUSE, data.cause)
  to.int(data.merchantRegistrationCount)
}
const readGatewayScoresReset = (from: BodyReader): GatewayScoresReset['data'] => ({
  merchantId: from.string(),
  requestId: from.newString(),
  at: from.long(),
  cause: from.symbol(RESET_CAUSE),
  merchantRegistrationCount: from.int(),
})

const writeOutcomeRecorded = (to: BodyWriter, data: OutcomeRecorded['data']): void => {
  to.string(data.merchantId)
  to.string(data.paymentId)
  to.string(data.requestId)
  to.long(data.at)
  to.string(data.gateway)
  to.string(data.status)
  if (to.isSome(data.statusClass)) to.symbol(OUTCOME_STATUS_CLASS, data.statusClass)
  if (to.isSome(data.gatewayReferenceId)) to.string(data.gatewayReferenceId)
  to.boolean(data.enforceFailure)
  if (to.isSome(data.gatewayLatencyMs)) to.double(data.gatewayLatencyMs)
  if (to.isSome(data.smartRetry)) to.boolean(data.smartRetry)
  if (to.isSome(data.error)) writeOutcomeError(to, data.error)
  if (to.isSome(data.errorClass)) writeGatewayErrorClass(to, data.errorClass)
  to.boolean(data.excused)
  if (to.isSome(data.upload)) writeUploadLine(to, data.upload)
  to.int(data.merchantRegistrationCount)
}
const readOutcomeRecorded = (from: BodyReader): OutcomeRecorded['data'] => ({
  merchantId: from.string(),
  paymentId: from.newString(),
  requestId: from.newString(),
  at: from.long(),
  gateway: from.string(),
  status: from.string(),
  statusClass: from.isNone() ? null : from.symbol(OUTCOME_STATUS_CLASS),
  gatewayReferenceId: from.isNone() ? null : from.string(),
  enforceFailure: from.boolean(),
  gatewayLatencyMs: from.isNone() ? null : from.double(),
  smartRetry: from.isNone() ? null : from.boolean(),
  error: from.isNone() ? null : readOutcomeError(from),
  errorClass: from.isNone() ? null : readGatewayErrorClass(from),
  excused: from.boolean(),
  upload: from.isNone() ? null : readUploadLine(from),
  merchantRegistrationCount: from.int(),
})

const writeOutcomeRefused = (to: BodyWriter, data: OutcomeRefused['data']): void => {
  to.string(data.merchantId)
  if (to.isSome(data.paymentId)) to.string(data.paymentId)
  to.string(data.requestId)
  to.long(data.at)
  to.string(data.stage)
  to.string(data.errorCode)
  to.string(data.errorMessage)
  if (to.isSome(data.gateway)) to.string(data.gateway)
}
const readOutcomeRefused = (from: BodyReader): OutcomeRefused['data'] => ({
  merchantId: from.string(),
  paymentId: from.isNone() ? null : from.string(),
  requestId: from.newString(),
  at: from.long(),
  stage: from.string(),
  errorCode: from.string(),
  errorMessage: from.string(),
  gateway: from.isNone() ? null : from.string(),
})

const writeRuleEvaluated = (to: BodyWriter, data: RuleEvaluated['data']): void => {
  to.string(data.merchantId)
  if (to.isSome(data.paymentId)) to.string(data.paymentId)
  to.string(data.requestId)
  to.long(data.at)
  to.string(data.algorithmId)
  to.symbol(ALGORITHM_KIND, data.kind)
  to.symbol(EVALUATION_STATUS, data.status)
  if (to.isSome(data.ruleName)) to.string(data.ruleName)
  if (to.isSome(data.gateway)) to.string(data.gateway)
  for (const item of to.items(data.evaluated)) to.string(item)
  to.end()
  for (const item of to.items(data.eligible)) to.string(item)
  to.end()
  if (to.isSome(data.drawnSlot)) to.int(data.drawnSlot)
  for (const item of to.entries(data.parameters)) {
    to.string(item[0])
    to.string(item[1])
  }
  to.end()
  if (to.isSome(data.experimentId)) to.string(data.experimentId)
  if (to.isSome(data.experimentArm)) to.symbol(EXPERIMENT_ARM, data.experimentArm)
}
const readRuleEvaluatedEvaluated = recurring((from) => from.items((from) => from.string()))
const readRuleEvaluatedEligible = recurring((from) => from.items((from) => from.string()))
const readRuleEvaluated = (from: BodyReader): RuleEvaluated['data'] => ({
  merchantId: from.string(),
  paymentId: from.isNone() ? null : from.string(),
  requestId: from.newString(),
  at: from.long(),
  algorithmId: from.string(),
  kind: from.symbol(ALGORITHM_KIND),
  status: from.symbol(EVALUATION_STATUS),
  ruleName: from.isNone() ? null : from.string(),
  gateway: from.isNone() ? null : from.string(),
  evaluated: readRuleEvaluatedEvaluated(from),
  eligible: readRuleEvaluatedEligible(from),
  drawnSlot: from.isNone() ? null : from.int(),
  parameters: from.entries((from) => from.string()),
  experimentId: from.isNone() ? null : from.string(),
  experimentArm: from.isNone() ? null : from.symbol(EXPERIMENT_ARM),
})

const writeRuleEvaluationRefused = (to: BodyWriter, data: RuleEvaluationRefused['data']): void => {
  to.string(data.merchantId)
  if (to.isSome(data.paymentId)) to.string(data.paymentId)
  to.string(data.requestId)
  to.long(data.at)
  to.string(data.stage)
  to.string(data.errorCode)
  to.string(data.errorMessage)
}
const readRuleEvaluationRefused = (from: BodyReader): RuleEvaluationRefused['data'] => ({
  merchantId: from.string(),
  paymentId: from.isNone() ? null : from.string(),
  requestId: from.newString(),
  at: from.long(),
  stage: from.string(),
  errorCode: from.string(),
  errorMessage: from.string(),
})

/** {@link GatewayDecided} without what says nothing to who folds payments into success rates. */
export interface GatewayDecidedPart {
  readonly type: 'GatewayDecided'
  readonly data: Omit<GatewayDecided['data'], 'preferredGateway' | 'eliminationRequested' | 'multiObjectiveRequested' | 'scores' | 'fallbacks' | 'gatewayBeforeEvaluation' | 'explored' | 'algorithmId' | 'priorityLogicTag' | 'latencyUs' | 'down' | 'network' | 'networkProblem'>
}
const readGatewayDecidedPart = (from: BodyReader): GatewayDecidedPart['data'] => {
  const merchantId = from.string()
  const paymentId = from.newString()
  const requestId = from.newString()
  const at = from.long()
  const rankingAlgorithm = from.isNone() ? null : from.symbol(RANKING_ALGORITHM)
  const paymentType = from.string()
  const paymentMethodType = from.string()
  const paymentMethod = from.string()
  const amount = from.double()
  const currency = from.string()
  const country = from.isNone() ? null : from.string()
  const cardType = from.isNone() ? null : from.string()
  const cardNetwork = from.isNone() ? null : from.string()
  const cardIsIn = from.isNone() ? null : from.string()
  const authType = from.isNone() ? null : from.string()
  if (!from.isNone()) from.skipString()
  if (!from.isNone()) from.boolean()
  if (!from.isNone()) from.boolean()
  const candidates = readGatewayDecidedCandidates(from)
  from.skipItems((from) => from.skipDouble())
  const gateway = from.string()
  from.skipItems((from) => from.skipString())
  const approach = from.string()
  if (!from.isNone()) from.skipString()
  from.boolean()
  if (!from.isNone()) from.skipString()
  if (!from.isNone()) from.skipString()
  const dimension = readScoringDimension(from)
  const knobs = readScoringKnobs(from)
  if (!from.isNone()) from.int()
  const elimination = from.isNone() ? null : readEliminationKnobs(from)
  from.skipItems((from) => from.skipString())
  const probe = from.boolean()
  if (!from.isNone()) readNetworkCosts(from)
  if (!from.isNone()) from.skipString()
  const experiment = from.isNone() ? null : readExperimentAssignment(from)
  const merchantRegistrationCount = from.int()
  const costChoice = from.isNone() ? null : readCostChoice(from)
  const pricing = from.isNone() ? null : readPaymentPricing(from)
  return { merchantId, paymentId, requestId, at, rankingAlgorithm, paymentType, paymentMethodType, paymentMethod, amount, currency, country, cardType, cardNetwork, cardIsIn, authType, candidates, gateway, approach, dimension, knobs, elimination, probe, experiment, merchantRegistrationCount, costChoice, pricing }
}
const partOfGatewayDecided = ({ merchantId, paymentId, requestId, at, rankingAlgorithm, paymentType, paymentMethodType, paymentMethod, amount, currency, country, cardType, cardNetwork, cardIsIn, authType, candidates, gateway, approach, dimension, knobs, elimination, probe, experiment, merchantRegistrationCount, costChoice, pricing }: GatewayDecided['data']): GatewayDecidedPart => ({ type: 'GatewayDecided', data: { merchantId, paymentId, requestId, at, rankingAlgorithm, paymentType, paymentMethodType, paymentMethod, amount, currency, country, cardType, cardNetwork, cardIsIn, authType, candidates, gateway, approach, dimension, knobs, elimination, probe, experiment, merchantRegistrationCount, costChoice, pricing } })

/** {@link OutcomeRecorded} without what says nothing to who folds payments into success rates. */
export interface OutcomeRecordedPart {
  readonly type: 'OutcomeRecorded'
  readonly data: Omit<OutcomeRecorded['data'], 'gatewayReferenceId' | 'smartRetry' | 'error' | 'errorClass'>
}
const readOutcomeRecordedPart = (from: BodyReader): OutcomeRecordedPart['data'] => {
  const merchantId = from.string()
  const paymentId = from.newString()
  const requestId = from.newString()
  const at = from.long()
  const gateway = from.string()
  const status = from.string()
  const statusClass = from.isNone() ? null : from.symbol(OUTCOME_STATUS_CLASS)
  if (!from.isNone()) from.skipString()
  const enforceFailure = from.boolean()
  const gatewayLatencyMs = from.isNone() ? null : from.double()
  if (!from.isNone()) from.boolean()
  if (!from.isNone()) readOutcomeError(from)
  if (!from.isNone()) readGatewayErrorClass(from)
  const excused = from.boolean()
  const upload = from.isNone() ? null : readUploadLine(from)
  const merchantRegistrationCount = from.int()
  return { merchantId, paymentId, requestId, at, gateway, status, statusClass, enforceFailure, gatewayLatencyMs, excused, upload, merchantRegistrationCount }
}
const partOfOutcomeRecorded = ({ merchantId, paymentId, requestId, at, gateway, status, statusClass, enforceFailure, gatewayLatencyMs, excused, upload, merchantRegistrationCount }: OutcomeRecorded['data']): OutcomeRecordedPart => ({ type: 'OutcomeRecorded', data: { merchantId, paymentId, requestId, at, gateway, status, statusClass, enforceFailure, gatewayLatencyMs, excused, upload, merchantRegistrationCount } })

/** What writes and reads the body of an event, by the schema of this release. */
export interface BodyCode<Data> {
  readonly write: (to: BodyWriter, data: Data) => void
  readonly read: (from: BodyReader) => Data
}

/** All events of the topic `payments`. */
export const PAYMENTS_BODIES: { readonly [Name in PaymentsEvent['type']]: BodyCode<Extract<PaymentsEvent, { readonly type: Name }>['data']> } = {
  ApiKeysUsed: { write: writeApiKeysUsed, read: readApiKeysUsed },
  DecisionRefused: { write: writeDecisionRefused, read: readDecisionRefused },
  GatewayDecided: { write: writeGatewayDecided, read: readGatewayDecided },
  GatewayScoresReset: { write: writeGatewayScoresReset, read: readGatewayScoresReset },
  OutcomeRecorded: { write: writeOutcomeRecorded, read: readOutcomeRecorded },
  OutcomeRefused: { write: writeOutcomeRefused, read: readOutcomeRefused },
  RuleEvaluated: { write: writeRuleEvaluated, read: readRuleEvaluated },
  RuleEvaluationRefused: { write: writeRuleEvaluationRefused, read: readRuleEvaluationRefused },
}

/** Every event of the topic `payments` as far as success rates follow from it. A whole event is one, too. */
export type PaymentsEventPart = Exclude<PaymentsEvent, GatewayDecided | OutcomeRecorded> | GatewayDecidedPart | OutcomeRecordedPart

/** What reads the part of an event, where that is not all of it; refuses the bytes that the reader of the whole refuses. */
export const PAYMENTS_PARTS: { readonly [Name in 'GatewayDecided' | 'OutcomeRecorded']: (from: BodyReader) => Extract<PaymentsEventPart, { readonly type: Name }>['data'] } = {
  GatewayDecided: readGatewayDecidedPart,
  OutcomeRecorded: readOutcomeRecordedPart,
}

/** The same part of an event that is at hand: a copy, so that what is left out need not live as long. */
export const paymentsPartOf = (event: PaymentsEvent): PaymentsEventPart => {
  switch (event.type) {
    case 'GatewayDecided':
      return partOfGatewayDecided(event.data)
    case 'OutcomeRecorded':
      return partOfOutcomeRecorded(event.data)
    default:
      return event
  }
}
