import { type Identity, parseBody, platformError, type Route, wrongShape } from '@switchyard/http'
import { ID_LENGTH_MAX, type Now } from '@switchyard/kernel'
import { algorithmById, routingAlgorithms } from '@switchyard/routing'
import type { StreamStates } from '@switchyard/runtime'
import * as z from 'zod'
import { SIMULATION_LIMIT_DEFAULT, SIMULATION_LIMIT_MAX, SIMULATION_PAYMENT_COUNT_MAX, SIMULATIONS_IN_FLIGHT_MAX } from '../limits.ts'
import { runSimulation, type Simulation } from '../simulation/run-simulation.ts'
import type { SimulatePage } from '../simulation/simulate-page.ts'
import { type AskedRange, rangeSchema, spanOf } from './asked-range.ts'
import { merchantOf } from './merchant-reads.ts'
import { simulationLine } from './simulation-schemas.ts'
import { createStreamedRuns } from './streamed-runs.ts'

/** What the route works with. */
export interface SimulateRouteDeps {
  readonly states: Pick<StreamStates, 'stateOf' | 'readIndex'>
  readonly simulatePage: SimulatePage
  readonly historySinceOf: (merchantId: string) => number
  readonly now: Now
}

interface SimulateRequest {
  readonly merchantId: string | null
  readonly algorithmId: string
  readonly range: AskedRange | null
  readonly paymentIds: readonly string[] | null
  readonly limit: number
}

const requestSchema: z.ZodType<SimulateRequest> = z
  .object({
    created_by: z.string().nullish(),
    routing_algorithm_id: z.string(),
    range: rangeSchema.nullish(),
    payment_ids: z.array(z.string().min(1).max(ID_LENGTH_MAX)).min(1).max(SIMULATION_PAYMENT_COUNT_MAX).nullish(),
    limit: z.number().int().min(1).max(SIMULATION_LIMIT_MAX).nullish(),
  })
  .refine(({ range, payment_ids }) => (range ?? null) === null || (payment_ids ?? null) === null, {
    path: ['payment_ids'],
    message: 'give either range or payment_ids',
  })
  .refine(({ range, payment_ids }) => (range ?? payment_ids ?? null) !== null, {
    path: ['range'],
    message: 'give one of range (15m, 1h, 12h, 1d, 1w, or start_ms and end_ms) and payment_ids',
  })
  .transform(({ created_by, routing_algorithm_id, range, payment_ids, limit }) => ({
    merchantId: created_by ?? null,
    algorithmId: routing_algorithm_id,
    range: range ?? null,
    paymentIds: payment_ids ?? null,
    limit: limit ?? SIMULATION_LIMIT_DEFAULT,
  }))

/** The merchant named, which the gate has checked, else that of the credential. */
const simulatedMerchant = ({ merchantId }: SimulateRequest, identity: Identity): string | undefined => merchantId ?? merchantOf(identity)

const queryOf = ({ range, paymentIds }: SimulateRequest, now: number, historySince: number): Simulation['query'] => {
  if (paymentIds !== null) return { paymentIds: [...new Set(paymentIds)] }
  return { ...spanOf(range, now, historySince), page: null }
}

/**
 * `POST /routing/simulate`: what a stored algorithm would have made of payments that were decided already. Lines of
 * progress, then the result; nothing is recorded. What was down and what explored at the time is left out of it.
 */
export const simulateRoute = ({ states, simulatePage, historySinceOf, now }: SimulateRouteDeps): Route => {
  const streamed = createStreamedRuns('simulations', SIMULATIONS_IN_FLIGHT_MAX)

  return {
    spec: {
      method: 'POST',
      path: '/routing/simulate',
      access: 'protected',
      permission: 'routing:read',
      tenant: false,
      merchant: { in: 'body', name: 'created_by', whenUnknown: 'allowed' },
      body: 'json',
      hot: false,
      servedBy: 'read-models',
    },
    api: {
      summary: 'What an algorithm would have made of payments that were decided already',
      body: requestSchema,
      answer: simulationLine,
      media: 'application/x-ndjson',
    },
    handle: async (request) => {
      const body = parseBody(requestSchema, request.body)
      if (!body.ok) return body.reply
      const merchantId = simulatedMerchant(body.value, request.identity)
      if (merchantId === undefined) return wrongShape('created_by', 'must name the merchant, the credential has none')
      await states.readIndex(merchantId)
      const { algorithmId, limit } = body.value
      const algorithm = algorithmById(states.stateOf(routingAlgorithms, merchantId), algorithmId)
      if (algorithm === undefined) return platformError(400, 'TE_04', `Routing algorithm not found for the provided id : ${algorithmId}`)
      if (algorithm.kind === 'AB_TEST') return wrongShape('routing_algorithm_id', 'is an experiment; simulate one of its arms')
      const historySince = historySinceOf(merchantId)
      const query = queryOf(body.value, now(), historySince)
      return streamed(runSimulation(simulatePage, { merchantId, algorithm, query, historySince, countMax: limit }))
    },
  }
}
