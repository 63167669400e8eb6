import { ACCOUNT_LENGTH_MAX, accountNamed, type Period, parseIsoDay } from '@switchyard/costs'
import { platformError, type RouteReply } from '@switchyard/http'
import { hasControlCharacter, ID_LENGTH_MAX, isUpTo } from '@switchyard/kernel'
import * as z from 'zod'

/** What the address of an upload tells of an invoice. */
export interface InvoiceQuery {
  readonly account: string
  readonly invoiceRef: string
  /** Null: as the file tells. */
  readonly period: Period | null
}

/** The parameter `account`. */
export const accountSchema: z.ZodType = z.string().min(1).max(ACCOUNT_LENGTH_MAX)

/** Parameters of an upload. */
export const invoiceQuerySchemas: Readonly<Record<string, z.ZodType>> = {
  account: accountSchema,
  invoice_ref: z.string().max(ID_LENGTH_MAX),
  period_start: z.iso.date(),
  period_end: z.iso.date(),
}

/** The answer to a parameter that is none. */
const badParameter = (name: string, rule: string): RouteReply => platformError(400, 'TE_04', `${name}: ${rule}`)

/** An account of a query; undefined for what can't be one. */
export const accountOf = (query: URLSearchParams): string | undefined => accountNamed(query.get('account') ?? '')

export const badAccount: RouteReply = badParameter('account', `must have 1 to ${ACCOUNT_LENGTH_MAX} characters, without control characters`)

const periodOf = (query: URLSearchParams): Period | null | undefined => {
  const [start, end] = [query.get('period_start'), query.get('period_end')]
  if (start === null && end === null) return null
  const [first, last] = [start, end].map((text) => (/^\d{4}-\d{2}-\d{2}$/.test(text ?? '') ? parseIsoDay(text ?? '') : undefined))
  return first !== undefined && last !== undefined && first <= last ? { first, last } : undefined
}

/** The parameters of an upload, or the answer to those that are none. */
export const parseInvoiceQuery = (
  query: URLSearchParams,
): { readonly ok: true; readonly value: InvoiceQuery } | { readonly ok: false; readonly reply: RouteReply } => {
  const account = accountOf(query)
  if (account === undefined) return { ok: false, reply: badAccount }
  const invoiceRef = query.get('invoice_ref')?.trim() ?? ''
  if (!isUpTo(invoiceRef, ID_LENGTH_MAX) || hasControlCharacter(invoiceRef))
    return { ok: false, reply: badParameter('invoice_ref', `must have at most ${ID_LENGTH_MAX} characters, without control characters`) }
  const period = periodOf(query)
  if (period === undefined)
    return { ok: false, reply: badParameter('period_start, period_end', 'must be two days such as 2026-06-01, in their order') }
  return { ok: true, value: { account, invoiceRef, period } }
}
