import type { Route } from '@switchyard/http'
import { createEliminationResolver, createKnobResolver, SHIPPED_ELIMINATION_RULES, SHIPPED_SCORING_DEFAULTS } from '@switchyard/routing'
import type { DecideServiceDependencies } from './dependencies.ts'
import { RECENT_DECISION_COUNT_MAX } from './limits.ts'
import { createRecentDecisions } from './recent-decisions.ts'
import { decideGatewayRoute } from './routes/decide-gateway.ts'
import { evaluateRoute } from './routes/evaluate.ts'
import { updateGatewayScoreRoute } from './routes/update-gateway-score.ts'

/** The service: what it answers. */
export interface DecideService {
  readonly routes: readonly Route[]
}

/** Decisions, reports of outcomes and rule evaluations, answered from memory. */
export const createDecideService = (dependencies: DecideServiceDependencies): DecideService => {
  const { states, appender, now, draw } = dependencies
  const recentDecisions = createRecentDecisions(RECENT_DECISION_COUNT_MAX)
  const eliminationRules = dependencies.eliminationRules ?? SHIPPED_ELIMINATION_RULES
  const rules = {
    resolveKnobs: createKnobResolver(dependencies.scoringDefaults ?? SHIPPED_SCORING_DEFAULTS),
    resolveElimination: createEliminationResolver(eliminationRules),
    eliminationRules,
  }
  return {
    routes: [
      decideGatewayRoute({ ...dependencies, recentDecisions, rules }),
      updateGatewayScoreRoute({ ...dependencies, recentDecisions }),
      evaluateRoute({ states, record: appender.enqueue, now, draw }),
    ],
  }
}
