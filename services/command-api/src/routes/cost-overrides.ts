import {
  CELL_LENGTH_MAX,
  type ClusterKey,
  type CostOverridesCommand,
  type CostOverridesRejection,
  costOverrides,
  type Fee,
  parseClusterKey,
} from '@switchyard/costs'
import { parseBody, platformError, type Route, type RouteReply, type RouteRequest } from '@switchyard/http'
import { assertNever, ID_LENGTH_MAX, type Now } from '@switchyard/kernel'
import type { CommandOutcome, HandleCommand } from '@switchyard/runtime'
import * as z from 'zod'
import { originOf } from './command-origin.ts'
import {
  badConnector,
  changedMeanwhile,
  connectorOf,
  costSpec,
  FEE_FIELDS,
  isConnectorName,
  merchantOf,
  merchantUnknown,
  pathParam,
} from './cost-replies.ts'
import { feeNumber } from './fee-number.ts'
import { positionHeaders, printTime } from './routing-replies.ts'

/** What the routes of overrides need. */
export interface CostOverrideRouteDependencies {
  readonly handle: HandleCommand
  readonly now: Now
}

type Rejection = CostOverridesRejection | { readonly code: 'CONFLICT' }
type Outcome = CommandOutcome<{ readonly registered: boolean }, Rejection>

const feeSchema: z.ZodType<Fee> = z
  .object({ pct_bps: feeNumber, fixed: feeNumber })
  .transform(({ pct_bps, fixed }) => ({ pctBps: pct_bps, fixed }))

const fee = { pct_bps: z.number(), fixed: z.number(), updated_at: z.iso.datetime() }
const connectorAnswer = z.object({ merchant_id: z.string(), connector: z.string(), ...fee })
const clusterFields = {
  connector: z.string(),
  card_network: z.string(),
  variant: z.string(),
  funding: z.string(),
  issuer_country: z.string(),
  currency: z.string(),
  ic_category: z.string(),
}

const refusal = (rejection: Rejection): RouteReply => {
  switch (rejection.code) {
    case 'MERCHANT_NOT_FOUND':
      return merchantUnknown
    case 'NOT_A_FEE':
      return platformError(400, 'TE_04', `${FEE_FIELDS[rejection.field]}: must be a number of at least 0`)
    case 'TOO_MANY_OVERRIDES':
      return platformError(400, 'TE_04', `No more than ${rejection.limit} fees can be set; clear one first`)
    case 'CONFLICT':
      return changedMeanwhile
    default:
      return assertNever(rejection)
  }
}

/** The answer to a write: the merchant may have been closed in between; then nothing was set. */
const written = (outcome: Outcome, reply: Pick<RouteReply, 'status' | 'body'>): RouteReply => {
  if (!outcome.accepted) return refusal(outcome.rejection)
  return outcome.state.registered ? { ...reply, headers: positionHeaders(outcome.position) } : merchantUnknown
}

const REFUSALS = { 400: 'Not a fee, too many of them, or a path that names nothing', 409: 'Others changed it at the same time; try again' }

const keyOf = (request: RouteRequest): ClusterKey | undefined => {
  const key = parseClusterKey(pathParam(request, 'key'))
  return key !== undefined && Object.values(key).every((part) => part.length <= CELL_LENGTH_MAX) ? key : undefined
}

const badKey: RouteReply = platformError(
  400,
  'TE_04',
  `key: must be seven fields of at most ${CELL_LENGTH_MAX} characters, joined by |: connector, card network, variant, funding, issuer country, currency, category`,
)

const badConnectorOfKey: RouteReply = platformError(
  400,
  'TE_04',
  `key: its connector must have 1 to ${ID_LENGTH_MAX} characters, without control characters and without spaces at its ends`,
)

const printCluster = (key: ClusterKey): object => ({
  connector: key.connector,
  card_network: key.cardNetwork,
  variant: key.variant,
  funding: key.funding,
  issuer_country: key.issuerCountry,
  currency: key.currency,
  ic_category: key.interchangeCategory,
})

/** `PUT` and `DELETE …/fee-override` (cost.md 12): in force before they are answered. */
export const costOverrideRoutes = ({ handle, now }: CostOverrideRouteDependencies): readonly Route[] => {
  const run = (request: RouteRequest, command: CostOverridesCommand): Promise<Outcome> =>
    handle(costOverrides, { key: command.merchantId, command, origin: originOf(request) })

  const setConnector: Route = {
    spec: costSpec('PUT', 'connectors/:connector/fee-override'),
    api: { summary: 'Set what a connector costs', body: feeSchema, answer: connectorAnswer, refusals: REFUSALS },
    handle: async (request) => {
      const body = parseBody(feeSchema, request.body)
      if (!body.ok) return body.reply
      const connector = connectorOf(request)
      if (connector === undefined) return badConnector
      const merchantId = merchantOf(request)
      const at = now()
      const { pctBps: pct_bps, fixed } = body.value
      const outcome = await run(request, { type: 'OverrideConnectorFee', merchantId, at, connector, fee: body.value })
      return written(outcome, { status: 200, body: { merchant_id: merchantId, connector, pct_bps, fixed, updated_at: printTime(at) } })
    },
  }
  const clearConnector: Route = {
    spec: costSpec('DELETE', 'connectors/:connector/fee-override'),
    api: { summary: 'Let a connector cost what is learned', status: 204, refusals: REFUSALS },
    handle: async (request) => {
      const connector = connectorOf(request)
      if (connector === undefined) return badConnector
      const command = { type: 'ClearConnectorFeeOverride', merchantId: merchantOf(request), at: now(), connector } as const
      return written(await run(request, command), { status: 204 })
    },
  }
  const setCluster: Route = {
    spec: costSpec('PUT', 'cost-clusters/:key/fee-override'),
    api: {
      summary: 'Set what the payments of a cluster cost',
      body: feeSchema,
      answer: z.object({ ...clusterFields, ...fee }),
      refusals: REFUSALS,
    },
    handle: async (request) => {
      const body = parseBody(feeSchema, request.body)
      if (!body.ok) return body.reply
      const cluster = keyOf(request)
      if (cluster === undefined) return badKey
      if (!isConnectorName(cluster.connector)) return badConnectorOfKey
      const at = now()
      const { pctBps: pct_bps, fixed } = body.value
      const outcome = await run(request, { type: 'OverrideClusterFee', merchantId: merchantOf(request), at, cluster, fee: body.value })
      return written(outcome, { status: 200, body: { ...printCluster(cluster), pct_bps, fixed, updated_at: printTime(at) } })
    },
  }
  const clearCluster: Route = {
    spec: costSpec('DELETE', 'cost-clusters/:key/fee-override'),
    api: { summary: 'Let the payments of a cluster cost what is learned', status: 204, refusals: REFUSALS },
    handle: async (request) => {
      const cluster = keyOf(request)
      if (cluster === undefined) return badKey
      const command = { type: 'ClearClusterFeeOverride', merchantId: merchantOf(request), at: now(), cluster } as const
      return written(await run(request, command), { status: 204 })
    },
  }
  return [setConnector, clearConnector, setCluster, clearCluster]
}
