import { parseBody, platformError, type Route, type RouteReply, type RouteSpec } from '@switchyard/http'
import { assertNever, type Now } from '@switchyard/kernel'
import {
  type DebitRoutingDefaultsRejection,
  debitRoutingDefaults,
  type EliminationRejection,
  eliminationSettings,
  type SuccessRateScoringRejection,
  successRateScoring,
} from '@switchyard/routing'
import type { CommandOrigin, CommandOutcome, HandleCommand, StreamStates } from '@switchyard/runtime'
import { messageOfMerchant, storedRuleConfig, writtenRuleConfig } from './answer-schemas.ts'
import { originOf } from './command-origin.ts'
import { positionHeaders } from './routing-replies.ts'
import {
  printRuleConfig,
  type RuleConfig,
  type RuleConfigReference,
  type RuleConfigRequest,
  type RuleConfigType,
  ruleConfigReferenceSchema,
  ruleConfigRequestSchema,
} from './rule-config-wire.ts'

/** What the routes of rule configuration need. */
export interface RuleConfigRouteDependencies {
  readonly handle: HandleCommand
  readonly states: StreamStates
  readonly now: Now
}

type Rejection = SuccessRateScoringRejection | EliminationRejection | DebitRoutingDefaultsRejection | { readonly code: 'CONFLICT' }
type Outcome = CommandOutcome<{ readonly registered: boolean }, Rejection>

const NAMES: Readonly<Record<RuleConfigType, string>> = {
  successRate: 'Success Rate',
  elimination: 'Elimination',
  debitRouting: 'Debit Routing',
}
const messageOf = (type: RuleConfigType, done: 'created' | 'updated' | 'deleted'): string =>
  `${NAMES[type]} Configuration ${done} successfully`

const spec = (path: string, permission: RouteSpec['permission']): RouteSpec => ({
  method: 'POST',
  path,
  access: 'protected',
  permission,
  tenant: false,
  merchant: { in: 'body', name: 'merchant_id', whenUnknown: 'not-found' },
  body: 'json',
  hot: false,
})

const CHANGED_MEANWHILE = { 409: 'Others changed it at the same time; try again' }
const NOTHING_STORED = { 404: 'The merchant is not known, or nothing is stored' }

const refusal = (rejection: Rejection): RouteReply => {
  switch (rejection.code) {
    case 'MERCHANT_NOT_FOUND':
      return platformError(404, 'TE_04', 'MerchantId not found')
    case 'CONFIGURATION_EXISTS':
      return platformError(400, 'TE_04', 'Rule configuration already exists')
    case 'CONFIGURATION_NOT_FOUND':
      return platformError(404, 'TE_04', 'Rule configuration not found')
    case 'SETTING_OUT_OF_RANGE':
      return platformError(400, 'TE_04', `Invalid routing rule configuration: ${rejection.field} must be ${rejection.expected}`)
    case 'SOURCE_RESERVED':
      return platformError(
        400,
        'TE_04',
        `Invalid routing rule configuration: ${rejection.field} is reserved for entries that are stored already`,
      )
    case 'CONFLICT':
      return platformError(409, 'TE_04', 'The rule configuration was changed by others at the same time; try again')
    default:
      return assertNever(rejection)
  }
}

/** Creating and updating differ for two of the three types; elimination settings are overwritten by both (platform.md 8). */
const configure = async (
  { handle, now }: RuleConfigRouteDependencies,
  action: 'create' | 'update',
  { merchantId, config }: RuleConfigRequest,
  origin: CommandOrigin,
): Promise<Outcome> => {
  const at = now()
  const common = { merchantId, at }
  switch (config.type) {
    case 'successRate': {
      const type = action === 'create' ? 'CreateSuccessRateScoring' : 'ReplaceSuccessRateScoring'
      return await handle(successRateScoring, { key: merchantId, command: { type, settings: config.settings, ...common }, origin })
    }
    case 'elimination': {
      const command = { type: 'ConfigureElimination', settings: config.settings, ...common } as const
      return await handle(eliminationSettings, { key: merchantId, command, origin })
    }
    case 'debitRouting': {
      const type = action === 'create' ? 'CreateDebitRoutingDefaults' : 'ReplaceDebitRoutingDefaults'
      return await handle(debitRoutingDefaults, { key: merchantId, command: { type, settings: config.settings, ...common }, origin })
    }
    default:
      return assertNever(config)
  }
}

const remove = async (
  { handle, now }: RuleConfigRouteDependencies,
  { merchantId, type }: RuleConfigReference,
  origin: CommandOrigin,
): Promise<Outcome> => {
  const common = { merchantId, at: now() }
  switch (type) {
    case 'successRate':
      return await handle(successRateScoring, { key: merchantId, command: { type: 'RemoveSuccessRateScoring', ...common }, origin })
    case 'elimination':
      return await handle(eliminationSettings, { key: merchantId, command: { type: 'RemoveElimination', ...common }, origin })
    case 'debitRouting':
      return await handle(debitRoutingDefaults, { key: merchantId, command: { type: 'RemoveDebitRoutingDefaults', ...common }, origin })
    default:
      return assertNever(type)
  }
}

/** What is stored, or why nothing is. */
const read = (states: StreamStates, { merchantId, type }: RuleConfigReference): RuleConfig | Rejection => {
  const missing = (registered: boolean): Rejection =>
    registered ? { code: 'CONFIGURATION_NOT_FOUND' } : { code: 'MERCHANT_NOT_FOUND', merchantId }
  switch (type) {
    case 'successRate': {
      const { registered, settings } = states.stateOf(successRateScoring, merchantId)
      return settings === null ? missing(registered) : { type, settings }
    }
    case 'elimination': {
      const { registered, settings } = states.stateOf(eliminationSettings, merchantId)
      return settings === null ? missing(registered) : { type, settings }
    }
    case 'debitRouting': {
      const { registered, settings } = states.stateOf(debitRoutingDefaults, merchantId)
      return settings === null ? missing(registered) : { type, settings }
    }
    default:
      return assertNever(type)
  }
}

const configureRoute = (deps: RuleConfigRouteDependencies, action: 'create' | 'update'): Route => ({
  spec: spec(`/rule/${action}`, 'routing:write'),
  api: {
    summary: action === 'create' ? 'Store how a merchant scores' : 'Replace how a merchant scores',
    body: ruleConfigRequestSchema,
    answer: writtenRuleConfig,
    refusals: { ...CHANGED_MEANWHILE, 404: 'The merchant is not known, or there is nothing to replace' },
  },
  handle: async (request) => {
    const body = parseBody(ruleConfigRequestSchema, request.body)
    if (!body.ok) return body.reply
    const { merchantId, config } = body.value
    const outcome = await configure(deps, action, body.value, originOf(request))
    if (!outcome.accepted) return refusal(outcome.rejection)
    // The merchant may have been closed in between; then nothing was stored.
    if (!outcome.state.registered) return refusal({ code: 'MERCHANT_NOT_FOUND', merchantId })
    const message = messageOf(config.type, action === 'create' ? 'created' : 'updated')
    return {
      status: 200,
      body: { message, merchant_id: merchantId, config: printRuleConfig(config) },
      headers: positionHeaders(outcome.position),
    }
  },
})

const getRoute = ({ states }: RuleConfigRouteDependencies): Route => ({
  spec: spec('/rule/get', 'routing:read'),
  api: { summary: 'How a merchant scores', body: ruleConfigReferenceSchema, answer: storedRuleConfig, refusals: NOTHING_STORED },
  handle: async (request) => {
    const body = parseBody(ruleConfigReferenceSchema, request.body)
    if (!body.ok) return body.reply
    const { merchantId } = body.value
    await states.readIndex(merchantId)
    const stored = read(states, body.value)
    if ('code' in stored) return refusal(stored)
    return { status: 200, body: { merchant_id: merchantId, config: printRuleConfig(stored) } }
  },
})

const deleteRoute = (deps: RuleConfigRouteDependencies): Route => ({
  spec: spec('/rule/delete', 'routing:write'),
  api: {
    summary: 'Forget how a merchant scores',
    body: ruleConfigReferenceSchema,
    answer: messageOfMerchant,
    refusals: { ...CHANGED_MEANWHILE, ...NOTHING_STORED },
  },
  handle: async (request) => {
    const body = parseBody(ruleConfigReferenceSchema, request.body)
    if (!body.ok) return body.reply
    const { merchantId, type } = body.value
    const outcome = await remove(deps, body.value, originOf(request))
    if (!outcome.accepted) return refusal(outcome.rejection)
    return {
      status: 200,
      body: { message: messageOf(type, 'deleted'), merchant_id: merchantId },
      headers: positionHeaders(outcome.position),
    }
  },
})

/** `/rule/*` (platform.md 8). */
export const ruleConfigRoutes = (deps: RuleConfigRouteDependencies): readonly Route[] => [
  configureRoute(deps, 'create'),
  getRoute(deps),
  configureRoute(deps, 'update'),
  deleteRoute(deps),
]
