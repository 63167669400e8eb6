import type { SimulatedCost } from '@switchyard/costs'
import type { ContractRate } from '@switchyard/events'
import { ID_LENGTH_MAX } from '@switchyard/kernel'
import * as z from 'zod'
import { feeNumber } from './fee-number.ts'

/** Rows of a table that are read at all: some more than are taken, so that the refusal can say so. */
const ROW_COUNT_MAX = 2_000
const LABEL_LENGTH_MAX = 255

const dimension = z.string().max(ID_LENGTH_MAX).nullish()
const rowShape = {
  psp: z.string().max(ID_LENGTH_MAX),
  card_network: dimension,
  payment_method_type: dimension,
  card_type: dimension,
  transaction_currency: dimension,
  card_issuing_country: dimension,
  interchange_bps: feeNumber,
  scheme_bps: feeNumber,
  markup_bps: feeNumber,
  fixed: feeNumber,
  label: z.string().max(LABEL_LENGTH_MAX).nullish(),
  example_amount: z.number().nullish(),
}

/** A text without blanks around it, which would fit no payment; null for one that is blank. */
const orNull = (text: string | null | undefined): string | null => {
  const trimmed = text?.trim() ?? ''
  return trimmed === '' ? null : trimmed
}

const rowSchema: z.ZodType<ContractRate> = z.object(rowShape).transform((row) => ({
  gateway: row.psp.trim(),
  network: orNull(row.card_network),
  funding: orNull(row.payment_method_type),
  program: orNull(row.card_type),
  currency: orNull(row.transaction_currency),
  issuer: orNull(row.card_issuing_country),
  interchangeBps: row.interchange_bps,
  schemeBps: row.scheme_bps,
  markupBps: row.markup_bps,
  fixed: row.fixed,
  label: orNull(row.label),
  exampleAmount: row.example_amount ?? null,
}))

/** A table of rates as it is sent (cost.md 13); what follows from the rest is ignored. */
export const contractTableSchema: z.ZodType<readonly ContractRate[]> = z
  .object({ rows: z.array(rowSchema).max(ROW_COUNT_MAX) })
  .transform(({ rows }) => rows)

/** A payment whose costs are tried out. */
export interface SimulatedPayment {
  readonly amount: number
  readonly gateways: readonly string[]
  readonly payment: {
    readonly network: string
    readonly funding: string
    readonly program: string
    readonly currency: string
    readonly issuerCountry: string
  }
}

const GATEWAY_COUNT_MAX = 100

export const simulationSchema: z.ZodType<SimulatedPayment> = z
  .object({
    amount: feeNumber,
    transaction_currency: dimension,
    card_network: dimension,
    payment_method_type: dimension,
    card_type: dimension,
    card_issuing_country: dimension,
    psps: z.array(z.string().max(ID_LENGTH_MAX)).max(GATEWAY_COUNT_MAX).nullish(),
  })
  .transform((sent) => ({
    amount: sent.amount,
    gateways: sent.psps ?? [],
    payment: {
      network: sent.card_network ?? '',
      funding: sent.payment_method_type ?? '',
      program: sent.card_type ?? '',
      currency: sent.transaction_currency ?? '',
      issuerCountry: sent.card_issuing_country ?? '',
    },
  }))

const nullableText = z.string().nullable()

/** The rows of a table as they are answered. */
export const contractTableAnswer: z.ZodType = z.array(
  z.object({
    psp: z.string(),
    card_network: nullableText,
    payment_method_type: nullableText,
    card_type: nullableText,
    transaction_currency: nullableText,
    card_issuing_country: nullableText,
    interchange_bps: z.number(),
    scheme_bps: z.number(),
    markup_bps: z.number(),
    fixed: z.number(),
    label: nullableText,
    example_amount: z.number().nullable(),
    is_default: z.boolean(),
    effective_pct_bps: z.number(),
  }),
)

export const simulationAnswer: z.ZodType = z.array(
  z.object({
    psp: z.string(),
    interchange_bps: z.number(),
    scheme_bps: z.number(),
    markup_bps: z.number(),
    fixed: z.number(),
    effective_pct_bps: z.number(),
    effective_cost_bps: z.number(),
    cost_amount: z.number(),
  }),
)

const isDefault = ({ network, funding, program, currency, issuer }: ContractRate): boolean =>
  [network, funding, program, currency, issuer].every((named) => named === null)

const printRate = (rate: ContractRate): object => ({
  psp: rate.gateway,
  card_network: rate.network,
  payment_method_type: rate.funding,
  card_type: rate.program,
  transaction_currency: rate.currency,
  card_issuing_country: rate.issuer,
  interchange_bps: rate.interchangeBps,
  scheme_bps: rate.schemeBps,
  markup_bps: rate.markupBps,
  fixed: rate.fixed,
  label: rate.label ?? (isDefault(rate) ? 'default for all other cards' : null),
  example_amount: rate.exampleAmount,
  is_default: isDefault(rate),
  effective_pct_bps: rate.interchangeBps + rate.schemeBps + rate.markupBps,
})

/** A table by gateway, in the order in which they come first: what holds for all other cards, then the rest. */
export const printTable = (rates: readonly ContractRate[]): readonly object[] => {
  const names = [...new Set(rates.map(({ gateway }) => gateway.toLowerCase()))]
  return names.flatMap((name) => {
    const own = rates.filter(({ gateway }) => gateway.toLowerCase() === name)
    return [...own.filter(isDefault), ...own.filter((rate) => !isDefault(rate))].map(printRate)
  })
}

export const printSimulated = ({ gateway, rate, effectivePctBps, effectiveCostBps, costAmount }: SimulatedCost): object => ({
  psp: gateway,
  interchange_bps: rate.interchangeBps,
  scheme_bps: rate.schemeBps,
  markup_bps: rate.markupBps,
  fixed: rate.fixed,
  effective_pct_bps: effectivePctBps,
  effective_cost_bps: effectiveCostBps,
  cost_amount: costAmount,
})
