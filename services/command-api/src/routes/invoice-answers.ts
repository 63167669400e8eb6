import { type AccountAddOn, dayText, type InvoiceAddOn, type Reconciliation } from '@switchyard/costs'
import * as z from 'zod'
import { printTime } from './routing-replies.ts'

const account = { connector: z.string(), account: z.string() }
const day = z.iso.date().nullable()
const addOn = {
  pct_addon_bps: z.number(),
  fixed_addon: z.number(),
  subtotal_ex_tax: z.number().nullable(),
  card_volume: z.number().nullable(),
  txn_count: z.number().nullable(),
  currency: z.string(),
}

const entrySchema = z.object({
  description: z.string(),
  kind: z.enum(['credit', 'already_modeled', 'periodic', 'flat_per_txn', 'volume']),
  added: z.boolean(),
  amount: z.number(),
  per_txn: z.number(),
})

/** Answer to an upload. */
export const ingestedAnswer: z.ZodType = z.object({
  merchant_id: z.string(),
  ...account,
  ...addOn,
  total_addon_per_txn: z.number(),
  invoice_ref: z.string(),
  period_start: day,
  period_end: day,
  lines: z.int(),
  breakdown: z.array(entrySchema),
  warnings: z.array(z.string()),
})

/** Answer to the list of add-ons. */
export const addOnsAnswer: z.ZodType = z.array(
  z.object({ ...account, ...addOn, invoice_ref: z.string(), period_start: day, period_end: day, updated_at: z.iso.datetime() }),
)

/** Answer to the reconciliation. */
export const reconciliationAnswer: z.ZodType = z.array(
  z.object({
    ...account,
    currency: z.string(),
    invoice_subtotal: z.number(),
    model_captured: z.number(),
    addon_contribution: z.number(),
    model_all_in: z.number(),
    residual: z.number(),
    coverage_before: z.number(),
    coverage_after: z.number(),
  }),
)

const printPeriod = ({ period }: Pick<AccountAddOn, 'period'>): object => ({
  period_start: period && dayText(period.first),
  period_end: period && dayText(period.last),
})

const printShared = (
  added: Pick<InvoiceAddOn, 'pctAddonBps' | 'fixedAddon' | 'subtotalExTax' | 'cardVolume' | 'txnCount'> & { readonly currency: string },
): object => ({
  pct_addon_bps: added.pctAddonBps,
  fixed_addon: added.fixedAddon,
  subtotal_ex_tax: added.subtotalExTax,
  card_volume: added.cardVolume,
  txn_count: added.txnCount,
  currency: added.currency,
})

/** What an upload is told: the add-on, and where it comes from. */
export const printIngested = (
  invoice: Pick<AccountAddOn, 'connector' | 'account' | 'invoiceRef' | 'period' | 'currency'> & {
    readonly merchantId: string
    readonly warnings: readonly string[]
  },
  added: InvoiceAddOn,
): object => ({
  merchant_id: invoice.merchantId,
  connector: invoice.connector,
  account: invoice.account,
  invoice_ref: invoice.invoiceRef,
  ...printPeriod(invoice),
  ...printShared({ ...added, currency: invoice.currency }),
  total_addon_per_txn: added.totalAddonPerTxn,
  lines: added.lineCount,
  breakdown: added.breakdown.map(({ description, kind, added: isAdded, amount, perTxn: per_txn }) => ({
    description,
    kind,
    added: isAdded,
    amount,
    per_txn,
  })),
  warnings: invoice.warnings,
})

/** One of the list of add-ons. */
export const printAddOn = (added: AccountAddOn): object => ({
  connector: added.connector,
  account: added.account,
  ...printShared(added),
  invoice_ref: added.invoiceRef,
  ...printPeriod(added),
  updated_at: printTime(added.updatedAt),
})

/** How much of one invoice is explained. */
export const printReconciliation = ({ connector, account: name, currency }: AccountAddOn, reconciled: Reconciliation): object => ({
  connector,
  account: name,
  currency,
  invoice_subtotal: reconciled.invoiceSubtotal,
  model_captured: reconciled.modelCaptured,
  addon_contribution: reconciled.addonContribution,
  model_all_in: reconciled.modelAllIn,
  residual: reconciled.residual,
  coverage_before: reconciled.coverageBefore,
  coverage_after: reconciled.coverageAfter,
})
