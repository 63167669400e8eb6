import type { SettledPayment } from '../../demo/settlements/payments.mjs'
import { reportChunks } from '../../demo/settlements/report.mjs'
import type { TrueCluster } from '../../demo/settlements/world.mjs'

const BPS = 10_000

/** What the payments of a report cost, and when they were made. */
export interface ReportShape {
  readonly count: number
  readonly pctBps: number
  readonly fixed: number
  /** `YYYY-MM-DD`. */
  readonly date: string
  readonly country?: string
  /** Lines that can't be read, among the others. */
  readonly brokenCount?: number
}

const ACCOUNT = { connector: 'adyen', account: 'Shop', clusters: [] }
const NOTHING = { bps: 0, fixed: 0 }

/** Visa debit in euro: all of one price. */
const clusterOf = ({ pctBps, fixed, country = 'NL' }: ReportShape): TrueCluster => ({
  kind: {
    index: 0,
    shape: 'linear',
    network: 'visa',
    funding: 'debit',
    country: { alpha2: country, alpha3: country, currency: 'EUR' },
    currency: 'EUR',
    category: 'Consumer',
    bin: '411111',
    amounts: { from: 10, to: 500 },
    interchange: [{ from: 0, bps: 20, fixed: 0 }],
    scheme: NOTHING,
  },
  hasTerminal: false,
  tariff: { interchange: [{ from: 0, bps: pctBps, fixed: 0 }], scheme: NOTHING, markup: { bps: 0, fixed } },
})

function* paymentsOf(shape: ReportShape, count: number): Generator<SettledPayment> {
  const cluster = clusterOf(shape)
  const dayMs = Date.parse(`${shape.date}T00:00:00Z`)
  for (let index = 0; index < count; index++) {
    const amount = 10 + ((index * 37) % 490)
    const fee = { interchange: (amount * shape.pctBps) / BPS, scheme: 0, markup: shape.fixed }
    yield { index, cluster, amount, fee, dayMs, isRefunded: false, isChargedBack: false }
  }
}

const textOf = (payments: Iterable<SettledPayment>): string => [...reportChunks(ACCOUNT, payments)].join('')
const HEADER = textOf([])
const linesOf = (shape: ReportShape, count: number): string => textOf(paymentsOf(shape, count)).slice(HEADER.length)

/** A report as Adyen writes it, of payments with one price each (cost.md 5.1). */
export const adyenReport = (...shapes: readonly ReportShape[]): string =>
  HEADER +
  shapes
    .map((shape) => linesOf(shape, shape.count) + linesOf(shape, shape.brokenCount ?? 0).replaceAll(/,EUR,[^,]+,/g, ',EUR,"1,234.50",'))
    .join('')

/** So many bytes of a report, piece by piece. */
export async function* endlessReport(byteCountMax: number): AsyncGenerator<Buffer> {
  yield Buffer.from(HEADER)
  const piece = Buffer.from(linesOf({ count: 0, pctBps: 100, fixed: 0.1, date: '2026-01-05' }, 2_000))
  for (let byteCount = 0; byteCount < byteCountMax; byteCount += piece.length) yield piece
}
