import type { Route } from '@switchyard/http'
import type { Now } from '@switchyard/kernel'
import type { RuleEvaluator } from '@switchyard/routing'
import type { StreamStates } from '@switchyard/runtime'
import type { AccessRouteDeps } from './access-deps.ts'
import { apiKeyRoutes } from './routes/api-keys.ts'
import { authRoutes } from './routes/auth.ts'
import { type ConnectorCredentialRouteDependencies, connectorCredentialRoutes } from './routes/connector-credentials.ts'
import { type ContractRateRouteDependencies, contractRateRoutes } from './routes/contract-rates.ts'
import { costOverrideRoutes } from './routes/cost-overrides.ts'
import { experimentRoutes } from './routes/experiments.ts'
import { featureFlagRoutes } from './routes/feature-flags.ts'
import { handoffRoutes } from './routes/handoffs.ts'
import type { InvoiceRouteDependencies } from './routes/invoice-commands.ts'
import { invoiceRoutes } from './routes/invoices.ts'
import { memberRoutes } from './routes/members.ts'
import { merchantAccountRoutes } from './routes/merchant-accounts.ts'
import { onboardingRoute } from './routes/onboarding.ts'
import { passwordRoutes } from './routes/passwords.ts'
import { routingRoutes } from './routes/routing.ts'
import { routingKeysRoute } from './routes/routing-keys.ts'
import { ruleConfigRoutes } from './routes/rule-config.ts'
import { scoringDimensionsRoutes } from './routes/scoring-dimensions.ts'
import { undoTuningRoute } from './routes/self-tuning.ts'
import { sessionRoutes } from './routes/sessions.ts'
import { superAdminRoutes } from './routes/super-admin.ts'
import { userActivityRoutes } from './routes/user-activity.ts'

/** What commands need of the process around them. */
export interface CommandApiDependencies
  extends AccessRouteDeps,
    Pick<ConnectorCredentialRouteDependencies, 'accounts' | 'cipher'>,
    Pick<InvoiceRouteDependencies, 'invoices' | 'readSettledDays'>,
    Pick<ContractRateRouteDependencies, 'deploymentRates'> {
  readonly states: StreamStates
  /** The vocabulary of rules, and what prepares algorithms for their payments. */
  readonly evaluator: RuleEvaluator
  readonly now: Now
}

/** The service that changes configuration, and reads it back linearizably. */
export interface CommandApi {
  readonly routes: readonly Route[]
}

/** Commands of merchants, keys, people, flags, scoring configuration, algorithms, and what people say about costs. It keeps nothing of its own: there is nothing to start or stop. */
export const createCommandApi = (deps: CommandApiDependencies): CommandApi => ({
  routes: [
    ...merchantAccountRoutes(deps),
    ...apiKeyRoutes(deps),
    ...authRoutes(deps),
    ...sessionRoutes(deps),
    ...passwordRoutes(deps),
    onboardingRoute(deps),
    ...memberRoutes(deps),
    ...superAdminRoutes(deps),
    ...userActivityRoutes(deps),
    ...handoffRoutes(deps),
    ...featureFlagRoutes(deps),
    undoTuningRoute(deps),
    ...ruleConfigRoutes(deps),
    ...scoringDimensionsRoutes(deps),
    ...routingRoutes(deps),
    ...experimentRoutes(deps),
    ...costOverrideRoutes(deps),
    ...contractRateRoutes(deps),
    ...connectorCredentialRoutes(deps),
    ...invoiceRoutes(deps),
    routingKeysRoute(deps.evaluator.catalogue),
  ],
})
