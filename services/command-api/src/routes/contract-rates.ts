import {
  type ContractProblem,
  type ContractRates,
  type ContractRatesCommand,
  type ContractRatesRejection,
  contractRates,
  type SimulatedCost,
  simulateContract,
} from '@switchyard/costs'
import type { ContractRate } from '@switchyard/events'
import { parseBody, platformError, type Route, type RouteReply, type RouteRequest } from '@switchyard/http'
import { assertNever, type Now } from '@switchyard/kernel'
import type { CommandOutcome, HandleCommand, StreamStates } from '@switchyard/runtime'
import { originOf } from './command-origin.ts'
import {
  contractTableAnswer,
  contractTableSchema,
  printSimulated,
  printTable,
  simulationAnswer,
  simulationSchema,
} from './contract-rate-wire.ts'
import { changedMeanwhile, costSpec, merchantOf, merchantUnknown } from './cost-replies.ts'
import { positionHeaders } from './routing-replies.ts'

/** What the routes of contract rates need. */
export interface ContractRateRouteDependencies {
  readonly handle: HandleCommand
  readonly states: Pick<StreamStates, 'stateOf' | 'readIndex'>
  /** Those of merchants that told none of their own. */
  readonly deploymentRates: readonly ContractRate[]
  readonly now: Now
}

type Rejection = ContractRatesRejection | { readonly code: 'CONFLICT' }

const FIELDS = { interchangeBps: 'interchange_bps', schemeBps: 'scheme_bps', markupBps: 'markup_bps', fixed: 'fixed' } as const

const textOf = (problem: ContractProblem): string => {
  switch (problem.problem) {
    case 'too-many-rates':
      return `rows: no more than ${problem.max} are possible`
    case 'blank-gateway':
      return `rows[${problem.row}].psp: must not be blank`
    case 'not-a-fee':
      return `rows[${problem.row}].${FIELDS[problem.field]}: must be a number of at least 0`
    case 'shares-too-large':
      return `rows[${problem.row}]: interchange_bps, scheme_bps and markup_bps together are too large for a number`
    default:
      return assertNever(problem)
  }
}

/** Problems that are told one by one. */
const TOLD_COUNT_MAX = 20

const refusal = (rejection: Rejection): RouteReply => {
  switch (rejection.code) {
    case 'MERCHANT_NOT_FOUND':
      return merchantUnknown
    case 'RATES_REFUSED':
      return platformError(400, 'TE_04', rejection.problems.slice(0, TOLD_COUNT_MAX).map(textOf).join('; '))
    case 'CONFLICT':
      return changedMeanwhile
    default:
      return assertNever(rejection)
  }
}

const REFUSALS = { 400: 'A row that is no rate', 409: 'Others changed it at the same time; try again' }

const NO_NUMBER = platformError(400, 'TE_04', 'amount: what such a payment would cost is too large for a number')

/** What holds for very large amounts, and what the fixed part is of very small ones, may be beyond all numbers. */
const isNumber = ({ effectiveCostBps, costAmount }: SimulatedCost): boolean =>
  Number.isFinite(effectiveCostBps) && Number.isFinite(costAmount)

/** `/merchant-account/{m}/seed-costs` (cost.md 13): rates by contract, for gateways of which nothing is learned; the deployment's until the merchant tells its own. */
export const contractRateRoutes = ({ handle, states, deploymentRates, now }: ContractRateRouteDependencies): readonly Route[] => {
  const written = (outcome: CommandOutcome<ContractRates, Rejection>): RouteReply => {
    if (!outcome.accepted) return refusal(outcome.rejection)
    if (!outcome.state.registered) return merchantUnknown
    return { status: 200, body: printTable(outcome.state.rates ?? deploymentRates), headers: positionHeaders(outcome.position) }
  }
  const run = async (request: RouteRequest, command: ContractRatesCommand): Promise<RouteReply> =>
    written(await handle(contractRates, { key: command.merchantId, command, origin: originOf(request) }))
  const ratesOf = async (merchantId: string) => {
    await states.readIndex(merchantId)
    return states.stateOf(contractRates, merchantId).rates ?? deploymentRates
  }

  const read: Route = {
    spec: costSpec('GET', 'seed-costs'),
    api: { summary: 'Rates by contract; those of the deployment until others are set', answer: contractTableAnswer },
    handle: async (request) => ({ status: 200, body: printTable(await ratesOf(merchantOf(request))) }),
  }
  const agree: Route = {
    spec: costSpec('PUT', 'seed-costs'),
    api: { summary: 'Set the rates by contract, as a whole', body: contractTableSchema, answer: contractTableAnswer, refusals: REFUSALS },
    handle: async (request) => {
      const body = parseBody(contractTableSchema, request.body)
      if (!body.ok) return body.reply
      return await run(request, { type: 'AgreeContractRates', merchantId: merchantOf(request), rates: body.value, at: now() })
    },
  }
  const remove: Route = {
    spec: costSpec('DELETE', 'seed-costs'),
    api: { summary: 'Remove the rates by contract: those of the deployment hold again', answer: contractTableAnswer, refusals: REFUSALS },
    handle: async (request) => await run(request, { type: 'RemoveContractRates', merchantId: merchantOf(request), at: now() }),
  }
  const simulate: Route = {
    spec: { ...costSpec('POST', 'seed-costs/simulate'), permission: 'routing:read' },
    api: {
      summary: 'What a payment would cost by contract',
      body: simulationSchema,
      answer: simulationAnswer,
      refusals: { 400: 'An amount that is not above 0, or too large or small for its costs to be a number' },
    },
    handle: async (request) => {
      const body = parseBody(simulationSchema, request.body)
      if (!body.ok) return body.reply
      const { amount, payment, gateways } = body.value
      if (!(amount > 0)) return platformError(400, 'TE_04', 'amount: must be above 0')
      const rates = await ratesOf(merchantOf(request))
      const simulated = simulateContract(rates, payment, amount, gateways)
      return simulated.every(isNumber) ? { status: 200, body: simulated.map(printSimulated) } : NO_NUMBER
    },
  }
  return [read, agree, remove, simulate]
}
