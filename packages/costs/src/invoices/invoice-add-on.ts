import { BPS } from '../fit/line.ts'
import { grouped } from '../grouped.ts'
import { type InvoiceLine, type InvoiceLineKind, kindOfLine } from './invoice-line.ts'

/** Payments settled in the period of the invoice, in its currency. */
export interface SettledVolume {
  readonly gross: number
  readonly count: number
  readonly fees: number
}

/** Lines of one kind and description. */
export interface InvoiceEntry {
  readonly description: string
  readonly kind: InvoiceLineKind
  /** It comes on top of what is learned. */
  readonly added: boolean
  readonly amount: number
  /** Per payment; 0 for what is not added. */
  readonly perTxn: number
}

/** What an invoice adds to the learned costs of its account (cost.md 11). */
export interface InvoiceAddOn {
  readonly pctAddonBps: number
  readonly fixedAddon: number
  readonly totalAddonPerTxn: number
  readonly subtotalExTax: number
  /** As the invoice states it; null when it does not. */
  readonly cardVolume: number | null
  readonly txnCount: number | null
  readonly lineCount: number
  /** Added ones first, volume last, then by size. */
  readonly breakdown: readonly InvoiceEntry[]
}

/** How much of an invoice learned costs explain (cost.md 11). */
export interface Reconciliation {
  readonly invoiceSubtotal: number
  readonly modelCaptured: number
  readonly addonContribution: number
  readonly modelAllIn: number
  readonly residual: number
  readonly coverageBefore: number
  readonly coverageAfter: number
}

const ADDED: ReadonlySet<InvoiceLineKind> = new Set(['flat_per_txn', 'periodic', 'credit'])

const positiveOrNull = (value: number): number | null => (value > 0 ? value : null)
const ratio = (part: number, whole: number | null): number => (whole !== null && whole > 0 ? part / whole : 0)

const placeOf = ({ kind, added }: InvoiceEntry): number => {
  if (added) return 0
  return kind === 'volume' ? 2 : 1
}

const byWeight = (one: InvoiceEntry, other: InvoiceEntry): number =>
  placeOf(one) - placeOf(other) ||
  Math.abs(other.perTxn) - Math.abs(one.perTxn) ||
  Math.abs(other.amount) - Math.abs(one.amount) ||
  (one.description < other.description ? -1 : 1)

const breakdownOf = (lines: readonly (InvoiceLine & { readonly kind: InvoiceLineKind })[], count: number | null): readonly InvoiceEntry[] =>
  [...grouped(lines, ({ kind, description }) => JSON.stringify([kind, description])).values()]
    .flatMap((group) => {
      const [first] = group
      if (first === undefined) return []
      const amount = group.reduce((sum, line) => sum + line.amount, 0)
      const added = ADDED.has(first.kind)
      return [{ description: first.description, kind: first.kind, added, amount, perTxn: added ? ratio(amount, count) : 0 }]
    })
    .sort(byWeight)

/** Reckons what an invoice adds. Where it states no volume or count, what was settled in its period stands in; null: unknown. */
export const addOnOfInvoice = (invoice: readonly InvoiceLine[], settled: SettledVolume | null): InvoiceAddOn => {
  const lines = invoice.map((line) => ({ ...line, kind: kindOfLine(line) }))
  const sumOf = (...kinds: readonly InvoiceLineKind[]): number =>
    lines.reduce((sum, { kind, amount }) => sum + (kinds.includes(kind) ? amount : 0), 0)
  const cardVolume = positiveOrNull(sumOf('volume'))
  const txnCount = positiveOrNull(lines.reduce((most, { kind, quantity }) => Math.max(most, kind === 'flat_per_txn' ? quantity : 0), 0))
  const count = txnCount ?? settled?.count ?? null
  const breakdown = breakdownOf(lines, count)
  return {
    pctAddonBps: ratio(sumOf('periodic', 'credit'), cardVolume ?? settled?.gross ?? null) * BPS,
    fixedAddon: ratio(sumOf('flat_per_txn'), count),
    totalAddonPerTxn: breakdown.reduce((sum, { perTxn }) => sum + perTxn, 0),
    subtotalExTax: sumOf('credit', 'already_modeled', 'periodic', 'flat_per_txn'),
    cardVolume,
    txnCount,
    lineCount: lines.length,
    breakdown,
  }
}

/** Whether something is to be added that is spread over nothing: the invoice states no volume or count, and nothing was settled either. */
export const isUnspread = ({ breakdown, pctAddonBps, fixedAddon }: InvoiceAddOn): boolean => {
  const sumOf = (...kinds: readonly InvoiceLineKind[]): number =>
    breakdown.reduce((sum, { kind, amount }) => sum + (kinds.includes(kind) ? amount : 0), 0)
  return (fixedAddon === 0 && sumOf('flat_per_txn') !== 0) || (pctAddonBps === 0 && sumOf('periodic', 'credit') !== 0)
}

/** Compares an invoice with what was settled in its period; null for one without a subtotal to compare. */
export const reconcile = (
  { subtotalExTax, pctAddonBps, fixedAddon }: Pick<InvoiceAddOn, 'subtotalExTax' | 'pctAddonBps' | 'fixedAddon'>,
  { gross, count, fees }: SettledVolume,
): Reconciliation | null => {
  if (!(subtotalExTax > 0)) return null
  const addonContribution = (pctAddonBps / BPS) * gross + fixedAddon * count
  const modelAllIn = fees + addonContribution
  return {
    invoiceSubtotal: subtotalExTax,
    modelCaptured: fees,
    addonContribution,
    modelAllIn,
    residual: subtotalExTax - modelAllIn,
    coverageBefore: fees / subtotalExTax,
    coverageAfter: modelAllIn / subtotalExTax,
  }
}
