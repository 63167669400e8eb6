export type {
  Algorithm,
  Comparison,
  Condition,
  ConditionValue,
  ConnectorReference,
  Global,
  Json,
  KnownKind,
  NumberComparison,
  Output,
  ParameterValue,
  PrioritySplit,
  Program,
  RoutingType,
  Rule,
  Split,
  Statement,
} from './algorithms/algorithm.ts'
export type { AlgorithmPart, AlgorithmProblem, SplitWarning } from './algorithms/algorithm-problems.ts'
export { splitWarnings } from './algorithms/algorithm-problems.ts'
export type { Catalogue, RoutingKey } from './algorithms/catalogue.ts'
export { createCatalogue } from './algorithms/catalogue.ts'
export type { CompiledAlgorithm, CompiledAlgorithmOf } from './algorithms/compile-algorithm.ts'
export { compileAlgorithm } from './algorithms/compile-algorithm.ts'
export type { ConditionFault, ConditionPlace, ConditionProblem } from './algorithms/condition-problems.ts'
export { countryCodeOf, isCountryCode } from './algorithms/countries.ts'
export { parseDefinition, printDefinition } from './algorithms/definition.ts'
export type { EligibilityEntry, EligibilityTable } from './algorithms/eligibility.ts'
export { createEligibilityTable, onlyEligible } from './algorithms/eligibility.ts'
export type { Evaluation, EvaluationContext, EvaluationError, EvaluationResult } from './algorithms/evaluation.ts'
export { isEvaluationError } from './algorithms/evaluation.ts'
export { ALGORITHM_COUNT_MAX, SPLIT_TOTAL } from './algorithms/limits.ts'
export type { CheckedParameters, ParameterProblem, Parameters, SentParameter } from './algorithms/parameters.ts'
export { checkParameters } from './algorithms/parameters.ts'
export type { PaymentAttributes } from './algorithms/payment-parameters.ts'
export type {
  RoutingAlgorithmsCommand,
  RoutingAlgorithmsEvent,
  RoutingAlgorithmsRejection,
} from './algorithms/routing-algorithms.ts'
export { routingAlgorithms } from './algorithms/routing-algorithms.ts'
export type { RuleEvaluator } from './algorithms/rule-evaluator.ts'
export { createRuleEvaluator } from './algorithms/rule-evaluator.ts'
export type { ActiveAlgorithm, KnownPurpose, RoutingAlgorithms, StoredAlgorithm } from './algorithms/stored-algorithm.ts'
export { activeAlgorithm, activePaymentAlgorithm, algorithmById, isActive } from './algorithms/stored-algorithm.ts'
export type { FailedCondition, RuleTrace } from './algorithms/trace-program.ts'
export { traceProgram } from './algorithms/trace-program.ts'
export type { BoundProblem } from './algorithms/value-bounds.ts'
export type { BackTest, BackTestOptions, BackTestResult, Unanswerable } from './back-test/back-test.ts'
export { createBackTest } from './back-test/back-test.ts'
export type { Interval, Unestimable } from './back-test/estimate.ts'
export type { CostEstimate } from './back-test/estimate-costs.ts'
export type { BackTestChanges } from './back-test/recorded-case.ts'
export type { ChooseByCost, CostWeighing } from './back-test/weigh-again.ts'
export type { BinRow, BinRowFacts } from './debit-routing/bin-rows.ts'
export type { BinTable, BinTableProblem } from './debit-routing/bin-table.ts'
export { BIN_DIGITS, createBinTable } from './debit-routing/bin-table.ts'
export type { CoBadgedCard, DebitDetails, DebitMetadata } from './debit-routing/co-badged-card.ts'
export type { DebitNetwork } from './debit-routing/debit-networks.ts'
export { debitNetworkOf } from './debit-routing/debit-networks.ts'
export type { DebitRouting, DebitRoutingCommand, DebitRoutingEvent, DebitRoutingRejection } from './debit-routing/debit-routing.ts'
export { debitRouting } from './debit-routing/debit-routing.ts'
export type { NetworkFee, NetworkFeeTable } from './debit-routing/network-fees.ts'
export type { NetworkResult, NetworkRouting, NetworkSources, RouteByNetwork } from './debit-routing/route-by-network.ts'
export { createRouteByNetwork } from './debit-routing/route-by-network.ts'
export type { DecidedPayment } from './decide/active-algorithm.ts'
export { gatewayByStoredAlgorithm, planByActiveAlgorithm, planByStoredAlgorithm } from './decide/active-algorithm.ts'
export type { DecisionSources } from './decide/case.ts'
export type { PricingSources } from './decide/cost-step.ts'
export { pricingOf } from './decide/cost-step.ts'
export { decideGateway } from './decide/decide-gateway.ts'
export type {
  DecisionRefusal,
  DecisionResult,
  GatewayDecision,
  PriorityLogicRun,
  PriorityPlan,
  RoutingApproach,
  RoutingDimension,
} from './decide/decision.ts'
export { gatewayDecided } from './decide/decision-event.ts'
export { shownScore } from './decide/elimination.ts'
export { explorationDraw } from './decide/exploration.ts'
export { CANDIDATE_COUNT_MAX } from './decide/ranking.ts'
export type { DecisionRequest, PaymentDetails } from './decide/request.ts'
export type { PriceCosts, WeighCosts, WeighedCosts, Weighing } from './decide/weighing.ts'
export type { EliminationChoice, EliminationResolver, EliminationRules } from './elimination/elimination-rules.ts'
export { createEliminationResolver, SHIPPED_ELIMINATION_RULES } from './elimination/elimination-rules.ts'
export type { DownGateway, DownQuery, HealthPayment } from './elimination/merchant-health.ts'
export type { ExperimentCommand, GuardrailBreach } from './experiments/decide-experiment.ts'
export { experimentOf, promotedOverrides, startOf } from './experiments/decide-experiment.ts'
export type { Arm, ArmPlan, Experiment, ExperimentEnding, ExperimentLife } from './experiments/experiment.ts'
export { planOf, SUCCESS_RATE_ROUTING } from './experiments/experiment.ts'
export type { ExperimentEffect, ExperimentSegment, ExperimentStanding } from './experiments/experiment-payments.ts'
export type { ExperimentField } from './experiments/experiment-problems.ts'
export type { ExperimentSources } from './experiments/live-experiment.ts'
export { armOf, createExperimentSources } from './experiments/live-experiment.ts'
export type {
  Feature,
  FeatureFlags,
  FeatureFlagsCommand,
  FeatureFlagsEvent,
  FeatureFlagsRejection,
  FeatureState,
} from './feature-flags/feature-flags.ts'
export { featureFlags, featureList, hasFeature } from './feature-flags/feature-flags.ts'
export type { GatewayErrorRule, GatewayErrorTable } from './gateway-errors/gateway-error-table.ts'
export { ANY, createGatewayErrorTable, isPayersError } from './gateway-errors/gateway-error-table.ts'
export { countOf } from './outcomes/event-identity.ts'
export type { PaymentFoldLimits } from './outcomes/limits.ts'
export { PAYMENT_FOLD_LIMITS } from './outcomes/limits.ts'
export type {
  DroppedOutcomes,
  GatewayScore,
  JudgedPayment,
  OutcomeDisposition,
  OutcomeEffect,
  PaymentEffect,
} from './outcomes/outcome-effect.ts'
export type { PaymentFold, ScoresQuery, UploadedOutcome } from './outcomes/payment-fold.ts'
export { createPaymentFold } from './outcomes/payment-fold.ts'
export { RecentNumbers } from './outcomes/recent-numbers.ts'
export type { OutcomeStatus, StatusClass } from './outcomes/status-class.ts'
export { OUTCOME_STATUSES, statusClassOf } from './outcomes/status-class.ts'
export type { KnownLine } from './outcomes/uploaded-lines.ts'
export { isSameList } from './scoring/dimension.ts'
export { keptAuthType, keptCardIsin } from './scoring/kept-spelling.ts'
export type { KnobPayment, KnobResolver, MerchantScoring, ScoringDefaults } from './scoring/knobs.ts'
export { createKnobResolver, SHIPPED_SCORING_DEFAULTS } from './scoring/knobs.ts'
export { RecentKinds } from './scoring/recent-kinds.ts'
export type {
  DebitDefaults,
  DebitRoutingDefaults,
  DebitRoutingDefaultsCommand,
  DebitRoutingDefaultsEvent,
  DebitRoutingDefaultsRejection,
} from './scoring-settings/debit-routing-defaults.ts'
export { debitRoutingDefaults } from './scoring-settings/debit-routing-defaults.ts'
export type {
  Elimination,
  EliminationCommand,
  EliminationEvent,
  EliminationRejection,
  EliminationSettings,
} from './scoring-settings/elimination-settings.ts'
export { eliminationSettings } from './scoring-settings/elimination-settings.ts'
export { AUTOPILOT, autopilotEntryCount } from './scoring-settings/machine-written.ts'
export type {
  ChosenDimensions,
  ScoringDimensions,
  ScoringDimensionsCommand,
  ScoringDimensionsEvent,
  ScoringDimensionsRejection,
} from './scoring-settings/scoring-dimensions.ts'
export { DIMENSION_FIELDS, scoringDimensions } from './scoring-settings/scoring-dimensions.ts'
export type { SettingOutOfRange } from './scoring-settings/setting-ranges.ts'
export { BUCKET_SIZE_MAX, EXTRA_SCORE_COUNT_MAX, SUB_LEVEL_COUNT_MAX } from './scoring-settings/setting-ranges.ts'
export type {
  SuccessRateScoring,
  SuccessRateScoringCommand,
  SuccessRateScoringEvent,
  SuccessRateScoringRejection,
} from './scoring-settings/success-rate-scoring.ts'
export { successRateScoring } from './scoring-settings/success-rate-scoring.ts'
export type { CalibrateScoring, Tuning } from './tuning/calibrate.ts'
export { hadRun } from './tuning/calibrate.ts'
export type { GatewayApprovals } from './tuning/exploration-cost.ts'
export type { TuningRules } from './tuning/formulas.ts'
export { SHIPPED_TUNING_RULES } from './tuning/formulas.ts'
export type { ClusterTraffic, TunedCluster } from './tuning/plan-calibration.ts'
