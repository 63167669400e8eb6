import type { PriorityPlan } from '@switchyard/routing'

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
