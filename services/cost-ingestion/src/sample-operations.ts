import {
  columnsOf,
  createReportReader,
  HEADER_SAMPLE_BYTES_MAX,
  preflight,
  previewOf,
  REPORT_FORMATS,
  type ReportFormat,
  type ReportRow,
  reportColumns,
  reportFormatOf,
} from '@switchyard/costs'
import type { Answer, CostOperations } from './operations.ts'
import type { Parts } from './parts.ts'
import { foreignFormat } from './reading/decode-text.ts'
import { handOver } from './reading/hand-over.ts'
import { createRecordSplitter, EndlessRecord, isBlank, type SplitRecords } from './reading/split-records.ts'

const UNKNOWN: Answer<never> = { ok: false, refusal: 'CONNECTOR_UNKNOWN' }

const unreadable = (detail: string): Answer<never> => ({ ok: false, refusal: 'SAMPLE_UNREADABLE', detail })

/** The records of a sample; the last one is left out when the sample ends within the file. */
const recordsOf = (sample: Uint8Array, isCut: boolean): readonly SplitRecords[] => {
  const splitter = createRecordSplitter()
  const whole = splitter.take(Buffer.from(sample).toString())
  // A table of one line that is cut has a header all the same.
  return isCut && whole.records.length > 0 ? [whole] : [whole, splitter.finish()]
}

type Sampled = { readonly ok: true; readonly value: readonly SplitRecords[] } | Answer<never>

const sampled = (sample: Uint8Array, isCut: boolean): Sampled => {
  if (sample.length === 0) return unreadable('is empty')
  const foreign = foreignFormat(sample)
  if (foreign !== undefined) return unreadable(`is ${foreign}`)
  try {
    return { ok: true, value: recordsOf(sample, isCut) }
  } catch (error) {
    if (error instanceof EndlessRecord) return unreadable(error.message)
    throw error
  }
}

const rowsOf = (format: ReportFormat, columns: Readonly<Record<string, string>>, parts: readonly SplitRecords[]) => {
  const rows: ReportRow[] = []
  const reader = createReportReader(format, columns, (row) => rows.push(row))
  for (const part of parts) handOver(part, reader, { isFrame: format.isFrame, mayBeForeign: true })
  return { rows, result: reader.finish() }
}

/** Looks at the start of a file before it is taken in (cost.md 6). */
export const createSampleOperations = ({ states }: Pick<Parts, 'states'>): Pick<CostOperations, 'validateHeaders' | 'preview'> => ({
  validateHeaders: async ({ merchantId, connector, account, sample }) => {
    const format = reportFormatOf(connector)
    if (format === undefined) return UNKNOWN
    const bytes = sample.subarray(0, HEADER_SAMPLE_BYTES_MAX)
    const found = sampled(bytes, sample.length >= HEADER_SAMPLE_BYTES_MAX)
    if (!found.ok) return found
    await states.readIndex(merchantId)
    const columns = account === null ? {} : columnsOf(states.stateOf(reportColumns, merchantId), format.connector, account)
    const records = found.value.flatMap((part) => part.records).filter((record) => !isBlank(record))
    return { ok: true, value: preflight(format, records, columns, REPORT_FORMATS) }
  },
  preview: async ({ connector, columns, sample, isCut }) => {
    const format = reportFormatOf(connector)
    if (format === undefined) return UNKNOWN
    const found = sampled(sample, isCut)
    if (!found.ok) return found
    const { rows, result } = rowsOf(format, columns, found.value)
    if (result.outcome === 'no-header') return unreadable('has no header')
    if (result.outcome === 'missing-columns') return { ok: false, refusal: 'COLUMNS_MISSING', detail: result.missing.join(', ') }
    return { ok: true, value: previewOf(format, rows, isCut ? 'cut' : 'whole', result.tally.problems[0]) }
  },
})
