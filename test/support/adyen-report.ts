const COLUMNS =
  'Record Type,Psp Reference,Payment Method Variant,Global Card Brand,Issuer Country,Settlement Currency,Payable (SC),Commission (SC),' +
  'Markup (SC),Scheme Fees (SC),Interchange (SC),ICSF details,Booking Date,Unique Terminal ID,Card Number'

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

const line = ({ pctBps, fixed, date, country = 'NL' }: ReportShape, index: number): string => {
  const gross = 10 + ((index * 37) % 490)
  const fee = (gross * pctBps) / 10_000
  const parts = [gross - fee - fixed, fixed, 0, 0, fee].map((amount) => amount.toFixed(6)).join(',')
  const details = `"[{""t"":""ic"",""n"":""Consumer"",""bps"":20}]"`
  return `Settled,P${index},visastandarddebit,visa,${country},EUR,${parts},${details},${date} 10:00:00,,411111******1111`
}

/** A report as Adyen writes it, of payments with one price (cost.md 5.1). */
export const adyenReport = (...shapes: readonly ReportShape[]): string => {
  const lines = shapes.flatMap((shape) => [
    ...Array.from({ length: shape.count }, (_, index) => line(shape, index)),
    ...Array.from({ length: shape.brokenCount ?? 0 }, (_, index) => line(shape, index).replace(/,EUR,[^,]+,/, ',EUR,"1,234.50",')),
  ])
  return [COLUMNS, ...lines, ''].join('\n')
}

/** So many bytes of a report, piece by piece. */
export async function* endlessReport(byteCountMax: number): AsyncGenerator<Buffer> {
  const [head = ''] = adyenReport().split('\n')
  yield Buffer.from(`${head}\n`)
  const shape = { count: 1, pctBps: 100, fixed: 0.1, date: '2026-01-05' }
  const piece = Buffer.from(`${Array.from({ length: 2_000 }, (_, index) => line(shape, index)).join('\n')}\n`)
  for (let byteCount = 0; byteCount < byteCountMax; byteCount += piece.length) yield piece
}
