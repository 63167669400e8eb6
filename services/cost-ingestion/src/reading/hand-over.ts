import { REPLACEMENT, type ReportFormat, type ReportReader } from '@switchyard/costs'
import { isBlank, type SplitRecords } from './split-records.ts'

const hasForeignBytes = (record: readonly string[]): boolean => record.some((cell) => cell.includes(REPLACEMENT))

/** A quote that goes wrong swallows lines up to the next one: each of them was a record. */
const refuseLines = (reader: ReportReader, record: readonly string[], line: number): void => {
  const lineCount = record.reduce((count, cell) => count + cell.split('\n').length - 1, 1)
  for (let at = 0; at < lineCount; at++) reader.refuse(line + at, 'has quotes that can not be read, or stands behind such')
}

/** Hands records over to the reader; those that can't be split are counted as unreadable. */
export const handOver = (
  { records, firstLine, lineCountOf, broken }: SplitRecords,
  reader: ReportReader,
  { isFrame, mayBeForeign }: Pick<ReportFormat, 'isFrame'> & { readonly mayBeForeign: boolean },
): void => {
  let nextLine = firstLine
  for (let index = 0; index < records.length; index++) {
    const record = records[index] ?? []
    const line = nextLine
    nextLine += lineCountOf(record)
    const isForeign = mayBeForeign && hasForeignBytes(record)
    // What stands around the table is dropped whatever it looks like.
    if ((isForeign || broken.has(index)) && isFrame(record)) continue
    if (broken.has(index)) refuseLines(reader, record, line)
    else if (!isBlank(record)) reader.take(record, line, isForeign)
  }
}
