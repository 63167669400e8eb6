import type { GatewayDecision, PriorityPlan } from '@switchyard/routing'

/** A fixed arm of an experiment shows its tag alone (decide.md 3.5). */
export const shownPlan = ({ plan, approach }: GatewayDecision): PriorityPlan | null =>
  approach === 'AB_TEST_STATIC_ALGORITHM' ? null : plan

/** `priority_logic_output` of an answer (decide.md 3.4); its members are in camel case, but for one. */
export const priorityLogicOutput = (plan: PriorityPlan | null): object | null =>
  plan === null
    ? null
    : {
        isEnforcement: false,
        gws: plan.gateways,
        priorityLogicTag: plan.tag,
        gatewayReferenceIds: {},
        primaryLogic:
          plan.run === null
            ? null
            : {
                name: plan.run.name,
                status: plan.run.failure === null ? 'SUCCESS' : 'FAILURE',
                failure_reason: plan.run.failure ?? 'NO_ERROR',
              },
        fallbackLogic: null,
      }
