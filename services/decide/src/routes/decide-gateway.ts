import { merchants } from '@switchyard/access'
import type { Refusal, Route, RouteSpec } from '@switchyard/http'
import { assertNever } from '@switchyard/kernel'
import {
  type DecisionRefusal,
  type DecisionRequest,
  type DecisionSources,
  debitRouting,
  decideGateway,
  eliminationSettings,
  featureFlags,
  gatewayDecided,
  type PricingSources,
  pricingOf,
  scoringDimensions,
  successRateScoring,
} from '@switchyard/routing'
import type { DecideServiceDependencies } from '../dependencies.ts'
import type { RecentDecisions } from '../recent-decisions.ts'
import { decision } from './answer-schemas.ts'
import { type DecisionProblem, debitRoutingNotEnabled, gatewayNotFound, networkNotFound, unparsable } from './decision-envelope.ts'
import { decisionJson } from './decision-json.ts'
import { decisionSchema } from './decision-wire.ts'
import { type DecisionBody, parseDecision } from './parse-decision.ts'
import { createRefuseDecision } from './refuse.ts'
import { problemOfRefusal } from './refused-requests.ts'

/** What the route works with. */
export interface DecideGatewayRouteDependencies
  extends Pick<DecideServiceDependencies, 'states' | 'fold' | 'appender' | 'now' | 'monotonicUs'> {
  readonly recentDecisions: RecentDecisions
  readonly rules: DecisionRules
}

/** How the deployment resolves what merchants leave open. */
type DecisionRules = Pick<
  DecisionSources,
  'resolveKnobs' | 'resolveElimination' | 'eliminationRules' | 'routeByNetwork' | 'priorityPlan' | 'experiments' | 'weighCosts'
> &
  Pick<PricingSources, 'priceCosts'>

const spec: RouteSpec = {
  method: 'POST',
  path: '/decide-gateway',
  access: 'protected',
  permission: 'routing:write',
  tenant: false,
  merchant: { in: 'body', name: 'merchantId', whenUnknown: 'not-found' },
  body: 'raw-json',
  hot: true,
}

const US_PER_MS = 1_000

const problemOf = (refusal: DecisionRefusal, merchantId: string): DecisionProblem => {
  switch (refusal.code) {
    case 'DEBIT_ROUTING_NOT_ENABLED':
      return debitRoutingNotEnabled(merchantId)
    case 'CO_BADGED_NETWORK_NOT_FOUND':
      return networkNotFound(refusal.detail)
    case 'GATEWAY_NOT_FOUND':
      return gatewayNotFound(refusal.plan)
    default:
      return assertNever(refusal)
  }
}

/** Named one by one: a spread of that many members takes as long as scoring the candidates. */
const decisionRequestOf = (body: DecisionBody, requestId: string, at: number): DecisionRequest => ({
  merchantId: body.merchantId,
  requestId,
  at,
  rankingAlgorithm: body.rankingAlgorithm,
  candidates: body.candidates,
  eliminationRequested: body.eliminationRequested,
  multiObjectiveRequested: body.multiObjectiveRequested,
  payment: body.payment,
  debit: body.debit,
})

/** `POST /decide-gateway` (decide.md 2 and 3): parse, decide, answer; the event follows the answer. */
export const decideGatewayRoute = (dependencies: DecideGatewayRouteDependencies): Route => {
  const { states, fold, appender, monotonicUs, recentDecisions } = dependencies
  const { resolveKnobs, resolveElimination, eliminationRules, routeByNetwork, priorityPlan, experiments, weighCosts, priceCosts } =
    dependencies.rules

  const refuse = createRefuseDecision(dependencies)

  const decide = (decision: DecisionRequest) =>
    decideGateway(decision, {
      // Named one by one: a spread here took as long as all the rest of the decision.
      resolveKnobs,
      resolveElimination,
      eliminationRules,
      debitRouting: states.stateOf(debitRouting, decision.merchantId),
      features: states.stateOf(featureFlags, decision.merchantId),
      successRateScoring: states.stateOf(successRateScoring, decision.merchantId),
      scoringDimensions: states.stateOf(scoringDimensions, decision.merchantId),
      eliminationSettings: states.stateOf(eliminationSettings, decision.merchantId),
      windows: fold,
      routeByNetwork,
      priorityPlan,
      experiments,
      weighCosts,
    })

  return {
    spec,
    api: { summary: 'Decide which gateway takes a payment', body: decisionSchema, answer: decision },
    refuse: (refusal: Refusal, request) => refuse(request, problemOfRefusal(refusal), 'gate'),
    handle: (request) => {
      const startUs = monotonicUs()
      const { value, problem } = parseDecision(request.body)
      if (problem !== undefined) return refuse(request, unparsable(problem), 'parse')
      const { merchantId, payment } = value
      const decisionRequest = decisionRequestOf(value, request.requestId, request.receivedAt)
      const result = decide(decisionRequest)
      if (!result.decided) return refuse(request, problemOf(result.refusal, merchantId), 'decide', merchantId)
      const latencyUs = monotonicUs() - startUs
      const { registrationCount: merchantRegistrationCount } = states.stateOf(merchants, merchantId)
      // By networks alone: no scores, nothing for a report to find (network.md 12).
      if (value.rankingAlgorithm !== 'NTW_BASED_ROUTING') {
        recentDecisions.add({ merchantId, merchantRegistrationCount, paymentId: payment.paymentId })
      }
      if (result.decision.probe) fold.reserveProbe(merchantId, { payment, gateway: result.decision.gateway, at: decisionRequest.at })
      const pricing = pricingOf(decisionRequest, result.decision, {
        features: states.stateOf(featureFlags, merchantId),
        successRateScoring: states.stateOf(successRateScoring, merchantId),
        priceCosts,
      })
      appender.enqueue(gatewayDecided(decisionRequest, result.decision, { latencyUs, merchantRegistrationCount, pricing }))
      return { status: 200, json: decisionJson(result.decision, payment, Math.round(latencyUs / US_PER_MS)) }
    },
  }
}
