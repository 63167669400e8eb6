import type { Route } from '@switchyard/http'
import {
  createEliminationResolver,
  createExperimentSources,
  createKnobResolver,
  createRouteByNetwork,
  type DecisionRequest,
  debitRoutingDefaults,
  planByActiveAlgorithm,
  routingAlgorithms,
  SHIPPED_ELIMINATION_RULES,
  SHIPPED_SCORING_DEFAULTS,
} from '@switchyard/routing'
import { createCostsOf } from './costs/merchant-costs.ts'
import { createPriceCosts, createWeighCosts } from './costs/weigh-costs.ts'
import type { DecideServiceDependencies } from './dependencies.ts'
import { RECENT_DECISION_COUNT_MAX } from './limits.ts'
import { createOutcomeEventOf } from './outcome-event.ts'
import { createRecentDecisions } from './recent-decisions.ts'
import { decideGatewayRoute } from './routes/decide-gateway.ts'
import { evaluateRoute } from './routes/evaluate.ts'
import { gsmOptionsRoute } from './routes/gsm-options.ts'
import { hybridRoute } from './routes/hybrid.ts'
import { legacyDecisionRoute } from './routes/legacy/legacy-decision.ts'
import { legacyOutcomeRoute } from './routes/legacy/legacy-outcome.ts'
import { createRefuseDecision, createRefuseOutcome } from './routes/refuse.ts'
import { resetGatewayScoresRoute } from './routes/reset-gateway-scores.ts'
import { updateGatewayScoreRoute } from './routes/update-gateway-score.ts'
import { uploadOutcomesRoute } from './routes/upload-outcomes.ts'

/** The service: what it answers. */
export interface DecideService {
  readonly routes: readonly Route[]
}

/** Decisions, reports of outcomes and rule evaluations, answered from memory. */
export const createDecideService = (dependencies: DecideServiceDependencies): DecideService => {
  const { states, appender, gatewayErrors, debitData, evaluator } = dependencies
  const recentDecisions = dependencies.recentDecisions ?? createRecentDecisions(RECENT_DECISION_COUNT_MAX)
  const eliminationRules = dependencies.eliminationRules ?? SHIPPED_ELIMINATION_RULES
  const costsOf = createCostsOf(states, dependencies.costs, dependencies)
  const rules = {
    resolveKnobs: createKnobResolver(dependencies.scoringDefaults ?? SHIPPED_SCORING_DEFAULTS),
    resolveElimination: createEliminationResolver(eliminationRules),
    eliminationRules,
    priorityPlan: (asked: DecisionRequest, candidates: readonly string[]) =>
      planByActiveAlgorithm(evaluator, states.stateOf(routingAlgorithms, asked.merchantId), asked, candidates),
    experiments: createExperimentSources(evaluator, (merchantId) => states.stateOf(routingAlgorithms, merchantId)),
    weighCosts: createWeighCosts(costsOf),
    priceCosts: createPriceCosts(costsOf),
    routeByNetwork: createRouteByNetwork({
      fees: debitData.networkFees,
      binTable: debitData.binTable,
      defaultsOf: (merchantId) => states.stateOf(debitRoutingDefaults, merchantId).settings,
    }),
  }
  const outcomeEventOf = createOutcomeEventOf(states, gatewayErrors)
  const decide = decideGatewayRoute({ ...dependencies, recentDecisions, rules })
  const evaluate = evaluateRoute({ ...dependencies, record: appender.enqueue })
  const report = updateGatewayScoreRoute({ ...dependencies, recentDecisions, outcomeEventOf })
  return {
    routes: [
      decide,
      report,
      evaluate,
      hybridRoute({ evaluate: evaluate.handle, decide: decide.handle, states }),
      uploadOutcomesRoute({ ...dependencies, outcomeEventOf }),
      legacyDecisionRoute(decide.handle, states, createRefuseDecision(dependencies)),
      legacyOutcomeRoute(report.handle, states, createRefuseOutcome(dependencies)),
      gsmOptionsRoute(gatewayErrors),
      resetGatewayScoresRoute(dependencies),
    ],
  }
}
