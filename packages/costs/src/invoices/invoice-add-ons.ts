import type { InvoiceAddOnRemoved, InvoiceIngested } from '@switchyard/events'
import { accept, assertNever, type Decision, type MerchantNotFound, ofMerchant, reject, type Slice } from '@switchyard/kernel'
import { INVOICED_ACCOUNT_COUNT_MAX } from '../limits.ts'
import type { MerchantLife } from '../merchant-life.ts'
import { dayText, parseIsoDay } from '../reports/day.ts'
import type { AddOn } from '../serving/cost-model.ts'
import type { Invoice } from './invoice.ts'
import { addOnOfInvoice, type InvoiceAddOn, type SettledVolume } from './invoice-add-on.ts'
import { onlyCurrency, type Period } from './settled-days.ts'

/** Takes the invoice of an account in, or ends what invoices add; `at` is epoch milliseconds. */
export type InvoiceAddOnsCommand = { readonly merchantId: string; readonly connector: string; readonly at: number } & (
  | {
      readonly type: 'IngestInvoice'
      readonly account: string
      /** Empty when it has none. */
      readonly invoiceRef: string
      readonly invoice: Omit<Invoice, 'warnings'>
      /** What was settled in its period and currency; null when that is unknown. */
      readonly settled: SettledVolume | null
    }
  | {
      readonly type: 'RemoveInvoiceAddOn'
      /** Null: of all accounts at the connector. */
      readonly account: string | null
    }
)

type InvoiceEvent = InvoiceIngested | InvoiceAddOnRemoved

/** What the add-ons of a merchant follow from. */
export type InvoiceAddOnsEvent = MerchantLife | InvoiceEvent

interface TooManyInvoices {
  readonly code: 'TOO_MANY_INVOICES'
  readonly limit: number
}

/** Why an invoice is not taken in. */
export type InvoiceAddOnsRejection = TooManyInvoices | MerchantNotFound

/** What the latest invoice of an account adds. */
export interface AccountAddOn extends Omit<InvoiceAddOn, 'breakdown'> {
  readonly connector: string
  readonly account: string
  readonly invoiceRef: string
  /** Upper case; empty when the invoice does not tell. */
  readonly currency: string
  readonly period: Period | null
  /** Epoch milliseconds. */
  readonly updatedAt: number
}

/** What invoices add, by account. */
export interface InvoiceAddOns {
  readonly registered: boolean
  readonly addOns: readonly AccountAddOn[]
}

const initialState: InvoiceAddOns = { registered: false, addOns: [] }

interface Account {
  readonly connector: string
  readonly account: string
}

const isOf = (one: Account, other: Account): boolean => one.connector === other.connector && one.account === other.account

type IngestCommand = Extract<InvoiceAddOnsCommand, { readonly type: 'IngestInvoice' }>

const ingest = (command: IngestCommand, { addOns }: InvoiceAddOns): Decision<InvoiceEvent, TooManyInvoices> => {
  const { merchantId, connector, account, invoiceRef, invoice, settled, at } = command
  if (addOns.filter((known) => !isOf(known, command)).length >= INVOICED_ACCOUNT_COUNT_MAX)
    return reject({ code: 'TOO_MANY_INVOICES', limit: INVOICED_ACCOUNT_COUNT_MAX })
  return accept({
    type: 'InvoiceIngested',
    data: {
      merchantId,
      connector,
      account,
      invoiceRef,
      currency: invoice.currency,
      periodStart: invoice.period && dayText(invoice.period.first),
      periodEnd: invoice.period && dayText(invoice.period.last),
      lines: invoice.lines.map(({ description, amount, quantity: paymentCount }) => ({ description, amount, paymentCount })),
      settled: settled && { gross: settled.gross, paymentCount: settled.count, fees: settled.fees },
      at,
    },
  })
}

const periodOf = ({ periodStart, periodEnd }: InvoiceIngested['data']): Period | null => {
  const [first, last] = [parseIsoDay(periodStart ?? ''), parseIsoDay(periodEnd ?? '')]
  return first === undefined || last === undefined ? null : { first, last }
}

const addOnOf = (data: InvoiceIngested['data']): AccountAddOn => {
  const { connector, account, invoiceRef, currency, lines, settled, at: updatedAt } = data
  const { breakdown: _, ...added } = addOnOfInvoice(
    lines.map(({ description, amount, paymentCount: quantity }) => ({ description, amount, quantity })),
    settled && { gross: settled.gross, count: settled.paymentCount, fees: settled.fees },
  )
  return { connector, account, invoiceRef, currency, period: periodOf(data), updatedAt, ...added }
}

/** What invoices charge beside the fees of payments, by account (cost.md 11). The latest invoice of an account counts. */
export const invoiceAddOns: Slice<InvoiceAddOnsCommand, InvoiceAddOns, InvoiceAddOnsEvent, InvoiceAddOnsRejection> = {
  name: 'invoice-add-ons',
  version: 1,
  folds: ['MerchantRegistered', 'MerchantClosed', 'InvoiceIngested', 'InvoiceAddOnRemoved'],
  conflicts: 'commute',
  ...ofMerchant<InvoiceAddOnsCommand, InvoiceAddOns, InvoiceEvent, TooManyInvoices>({
    initialState,

    decide: (command, state) => {
      if (command.type === 'IngestInvoice') return ingest(command, state)
      const { merchantId, connector, account, at } = command
      const ended = state.addOns.filter((known) => known.connector === connector && (account === null || known.account === account))
      return accept(
        ...ended.map(
          (known): InvoiceAddOnRemoved => ({
            type: 'InvoiceAddOnRemoved',
            data: { merchantId, connector, account: known.account, at },
          }),
        ),
      )
    },

    evolve: (state, event) => {
      const others = state.addOns.filter((known) => !isOf(known, event.data))
      switch (event.type) {
        case 'InvoiceIngested':
          return { ...state, addOns: [...others, addOnOf(event.data)] }
        case 'InvoiceAddOnRemoved':
          return { ...state, addOns: others }
        default:
          return assertNever(event)
      }
    },
  }),
}

/**
 * What the learned costs of an account are served with; null when no invoice adds to them. An invoice that does not tell its
 * currency is in that of the account's payments, if they have one only; else its fixed part is added to none.
 */
export const servedAddOn = (
  { addOns }: Pick<InvoiceAddOns, 'addOns'>,
  { connector, account, clusters }: Account & { readonly clusters: Iterable<{ readonly currency: string }> },
): AddOn | null => {
  const known = addOns.find((addOn) => isOf(addOn, { connector, account }))
  if (known === undefined) return null
  return { pctBps: known.pctAddonBps, fixed: known.fixedAddon, currency: known.currency || onlyCurrency(clusters) }
}
