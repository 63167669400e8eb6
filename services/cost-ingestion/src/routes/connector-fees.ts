import type { Fee } from '@switchyard/costs'
import type { Route } from '@switchyard/http'
import * as z from 'zod'
import type { CostOperations } from '../operations.ts'
import type { ShownConnector } from '../reads/connector-fees.ts'
import { costRoute, costSpec, merchantOf } from './cost-route.ts'

const numberOrNull = z.number().nullable()
const learned = z.object({ currency: z.string(), pct_bps: z.number(), fixed: z.number(), good_gross: z.number() })
const answer = z.array(
  z.object({
    connector: z.string(),
    account: z.string(),
    has_credentials: z.boolean(),
    model_pct_bps: numberOrNull,
    model_fixed: numberOrNull,
    good_gross: numberOrNull,
    model_by_currency: z.array(learned),
    override_pct_bps: numberOrNull,
    override_fixed: numberOrNull,
    override_updated_at: z.iso.datetime().nullable(),
    effective_pct_bps: numberOrNull,
    effective_fixed: numberOrNull,
    source: z.enum(['override', 'model', 'none']),
  }),
)

const printFee = (name: string, fee: Fee | null): object => ({
  [`${name}_pct_bps`]: fee?.pctBps ?? null,
  [`${name}_fixed`]: fee?.fixed ?? null,
})

const print = ({ learned: model, override, overriddenAt, effective, ...one }: ShownConnector): object => ({
  connector: one.connector,
  account: one.account,
  has_credentials: one.hasCredentials,
  ...printFee('model', model),
  good_gross: model?.goodGross ?? null,
  model_by_currency: one.learnedByCurrency.map(({ currency, pctBps, fixed, goodGross }) => ({
    currency,
    pct_bps: pctBps,
    fixed,
    good_gross: goodGross,
  })),
  ...printFee('override', override),
  override_updated_at: overriddenAt === null ? null : new Date(overriddenAt).toISOString(),
  ...printFee('effective', effective),
  source: one.source,
})

/** `connector-fees` (cost.md 12): what is shown as effective is what decisions reckon with, invoices included. */
export const connectorFeesRoute = (operations: Pick<CostOperations, 'connectorFees'>): Route =>
  costRoute(costSpec('GET', 'connector-fees'), { summary: 'What connectors cost', answer }, async (request) => ({
    status: 200,
    body: (await operations.connectorFees({ merchantId: merchantOf(request) })).map(print),
  }))
