import { INVOICE_LINE_COUNT_MAX, type ReadInvoice, readInvoiceTable, readInvoiceText, type TableRecord } from '@switchyard/costs'
import { CsvError, parse } from 'csv-parse/sync'
import { INVOICE_CELL_COUNT_MAX, INVOICE_RECORD_BYTES_MAX } from './limits.ts'

const PDF_MARK = '%PDF'
/** A header, and blank lines between the items. */
const RECORD_COUNT_MAX = 10 * INVOICE_LINE_COUNT_MAX
/** All of them wherever they stand: files that were put together have several kinds. */
const LINE_ENDS = ['\r\n', '\n', '\r']

const tableOf = (bytes: Uint8Array): readonly TableRecord[] | string => {
  const records: TableRecord[] = []
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    parse(text, {
      recordDelimiter: LINE_ENDS,
      relaxColumnCount: true,
      skipEmptyLines: true,
      maxRecordSize: INVOICE_RECORD_BYTES_MAX,
      to: RECORD_COUNT_MAX,
      // Empty cells have no bytes that are counted, and one list of millions of them ends the whole process before its thread can be ended.
      cast: (cell, { index }) => {
        if (index >= INVOICE_CELL_COUNT_MAX) throw new CsvError('CSV_MAX_RECORD_SIZE', 'more cells than a record of an invoice has')
        return cell
      },
      onRecord: (cells: readonly string[], { lines: line }) => {
        records.push({ cells, line })
        return null
      },
    })
    return records
  } catch (error) {
    return error instanceof CsvError ? `The file is no CSV that can be read, ${error.code}` : 'The file is neither a PDF nor text in UTF-8'
  }
}

/** Reads an invoice: a PDF by its first bytes, else CSV. Only in a thread of its own: a hostile file takes what it can get. */
export const readInvoiceFile = async (bytes: Uint8Array): Promise<ReadInvoice> => {
  if (Buffer.from(bytes.subarray(0, PDF_MARK.length)).toString('latin1') !== PDF_MARK) {
    const table = tableOf(bytes)
    return typeof table === 'string' ? { ok: false, problem: table } : readInvoiceTable(table)
  }
  // The library is large, and most processes never see an invoice.
  const { pdfLines } = await import('./pdf-lines.ts')
  const pdf = await pdfLines(bytes)
  return pdf.ok ? readInvoiceText(pdf.lines) : pdf
}
