import { merchants } from '@switchyard/access'
import {
  type InvoiceAddOns,
  type InvoiceAddOnsCommand,
  type InvoiceAddOnsRejection,
  invoiceAddOns,
  type SettledDay,
} from '@switchyard/costs'
import { platformError, type RouteReply, type RouteRequest } from '@switchyard/http'
import type { InvoiceReader } from '@switchyard/invoice-files'
import { assertNever, type Now } from '@switchyard/kernel'
import type { CommandOutcome, HandleCommand, StreamStates } from '@switchyard/runtime'
import { originOf } from './command-origin.ts'
import { changedMeanwhile, merchantOf, merchantUnknown } from './cost-replies.ts'

/** What the routes of invoices need. */
export interface InvoiceRouteDependencies {
  readonly handle: HandleCommand
  readonly states: Pick<StreamStates, 'stateOf' | 'readIndex'>
  readonly invoices: InvoiceReader
  /** What was settled on the days of an account of this registration; empty before a report of it was learned from. */
  readonly readSettledDays: (account: {
    readonly merchantId: string
    readonly merchantRegistrationCount: number
    readonly connector: string
    readonly account: string
  }) => Promise<readonly SettledDay[]>
  readonly now: Now
}

type Rejection = InvoiceAddOnsRejection | { readonly code: 'CONFLICT' }

/** Answer to an invoice that is not taken in. */
export const refusedInvoice = (rejection: Rejection): RouteReply => {
  switch (rejection.code) {
    case 'MERCHANT_NOT_FOUND':
      return merchantUnknown
    case 'TOO_MANY_INVOICES':
      return platformError(400, 'TE_04', `account: no more than ${rejection.limit} accounts can have an invoice; remove one first`)
    case 'CONFLICT':
      return changedMeanwhile
    default:
      return assertNever(rejection)
  }
}

/** Has a command about invoices decided, for the caller of a request. */
export const runInvoiceCommand = (
  { handle }: Pick<InvoiceRouteDependencies, 'handle'>,
  request: RouteRequest,
  command: InvoiceAddOnsCommand,
): Promise<CommandOutcome<InvoiceAddOns, Rejection>> =>
  handle(invoiceAddOns, { key: command.merchantId, command, origin: originOf(request) })

/** What was settled on the days of an account of the merchant of a request. */
export const settledDaysOf = (
  { states, readSettledDays }: Pick<InvoiceRouteDependencies, 'states' | 'readSettledDays'>,
  request: RouteRequest,
  place: { readonly connector: string; readonly account: string },
): Promise<readonly SettledDay[]> => {
  const merchantId = merchantOf(request)
  const { registrationCount: merchantRegistrationCount } = states.stateOf(merchants, merchantId)
  return readSettledDays({ merchantId, merchantRegistrationCount, ...place })
}
