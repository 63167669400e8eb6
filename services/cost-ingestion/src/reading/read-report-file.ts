import { closeSync, openSync, readSync } from 'node:fs'
import {
  CONTRIBUTION_CHUNK_COUNT,
  contributionChunks,
  createReportReader,
  dayText,
  REPLACEMENT,
  type ReportFormat,
  type ReportReader,
  type ReportResult,
  type ReportSummary,
  type ReportTally,
  RollUp,
  reportFormatOf,
} from '@switchyard/costs'
import {
  BUCKETS_AT_HAND_MAX,
  BUCKETS_PER_REPORT_MAX,
  COUNTRIES_PER_REPORT_MAX,
  CURRENCIES_PER_REPORT_MAX,
  PROGRESS_ROW_COUNT,
  READ_BYTES,
} from '../limits.ts'
import { createTextDecoding, foreignFormat } from './decode-text.ts'
import { handOver } from './hand-over.ts'
import type { ReadingOutcome, ReadingRequest, ReadingSink } from './reading.ts'
import { createRecordSplitter, EndlessRecord, type RecordSplitter, type SplitRecords } from './split-records.ts'

const refused = (message: string): ReadingOutcome => ({ kind: 'refused', message, problems: [] })

/**
 * The bytes of a file, piece by piece. Each piece is overwritten by the next one. The thread has nothing else to do, so it waits for
 * the disk itself: another thread that reads for it takes more time than the reading.
 */
function* bytesOf(path: string): Generator<Buffer> {
  const file = openSync(path, 'r')
  try {
    const piece = Buffer.allocUnsafe(READ_BYTES)
    for (;;) {
      const byteCount = readSync(file, piece, 0, READ_BYTES, null)
      if (byteCount === 0) return
      yield piece.subarray(0, byteCount)
    }
  } finally {
    closeSync(file)
  }
}

const reportOf = (summary: ReportSummary, unreadableCount: number) => ({
  skippedCount: summary.skippedCount,
  unreadableCount,
  firstDate: summary.firstDay === null ? null : dayText(summary.firstDay),
  lastDate: summary.lastDay === null ? null : dayText(summary.lastDay),
  grossByCurrency: Object.fromEntries(summary.grossByCurrency),
  countries: summary.countries,
})

/** What a file has more of than there is; undefined when it has not. */
const tooManyOf = ({ grossByCurrency, countries }: ReportSummary): string | undefined => {
  const found = [
    { what: 'currencies', count: grossByCurrency.size, countMax: CURRENCIES_PER_REPORT_MAX },
    { what: 'countries', count: countries.length, countMax: COUNTRIES_PER_REPORT_MAX },
  ].find(({ count, countMax }) => count > countMax)
  return found && `the file has ${found.count} ${found.what}, more than ${found.countMax}: is their column the right one?`
}

const readOutcome = ({ rowCount, unreadableCount, problems }: ReportTally, summary: ReportSummary): ReadingOutcome => {
  const tooMany = tooManyOf(summary)
  return tooMany === undefined ? { kind: 'read', rowCount, report: reportOf(summary, unreadableCount), problems } : refused(tooMany)
}

/** What a reader's result means for the file. */
const outcomeOf = (result: ReportResult, { connector }: ReportFormat, rollUp: RollUp): ReadingOutcome => {
  switch (result.outcome) {
    case 'no-header':
      return refused('the file is empty: it has no header')
    case 'missing-columns':
      return refused(`this is no report of ${connector}: it lacks the columns ${result.missing.join(', ')}`)
    case 'unreadable': {
      const { unreadableCount, recordCount, problems } = result.tally
      const message = `${unreadableCount} of ${recordCount} records can not be read, more than 1 in 1,000: nothing of the file is used`
      return { kind: 'refused', message, problems }
    }
    default:
      return readOutcome(result.tally, rollUp.summary())
  }
}

/** Reads one file into a contribution. */
class FileReading {
  readonly #sink: ReadingSink
  readonly #format: ReportFormat
  readonly #rollUp: RollUp
  readonly #reader: ReportReader
  #rowCount = 0
  #bucketCount = 0

  constructor(format: ReportFormat, { productByBin, ingestedOn, columns }: ReadingRequest, sink: ReadingSink) {
    this.#sink = sink
    this.#format = format
    this.#rollUp = new RollUp((bin) => productByBin.get(bin), ingestedOn)
    this.#reader = createReportReader(format, columns, (row) => {
      this.#rowCount += 1
      if (this.#rowCount % PROGRESS_ROW_COUNT === 0) sink.advanced(this.#rowCount)
      this.#rollUp.take(row)
    })
  }

  /** True while there is room for more kinds of payments. */
  async take(split: SplitRecords, text: string): Promise<boolean> {
    handOver(split, this.#reader, { isFrame: this.#format.isFrame, mayBeForeign: text.includes(REPLACEMENT) })
    if (this.#rollUp.heldCount < BUCKETS_AT_HAND_MAX) return true
    await this.#spill('next')
    return this.#bucketCount <= BUCKETS_PER_REPORT_MAX
  }

  async finish(): Promise<ReadingOutcome> {
    const result = this.#reader.finish()
    const outcome = outcomeOf(result, this.#format, this.#rollUp)
    if (outcome.kind === 'read') await this.#spill('last')
    return outcome
  }

  /** Sums may be told in several parts: they are added up where they are used. */
  async #spill(part: 'next' | 'last'): Promise<void> {
    for (const piece of this.#rollUp.drain(part, CONTRIBUTION_CHUNK_COUNT)) {
      this.#bucketCount += piece.buckets.length + piece.binRates.length
      for (const chunk of contributionChunks(piece)) await this.#sink.chunk(chunk)
    }
  }
}

const readRecords = async (path: string, reading: FileReading, splitter: RecordSplitter): Promise<ReadingOutcome> => {
  const decoding = createTextDecoding()
  let isFirst = true
  for (const bytes of bytesOf(path)) {
    const foreign = isFirst ? foreignFormat(bytes) : undefined
    if (foreign !== undefined) return refused(`the file is ${foreign}`)
    isFirst = false
    const text = decoding.take(bytes)
    if (!(await reading.take(splitter.take(text), text)))
      return refused(`the file has more than ${BUCKETS_PER_REPORT_MAX} kinds of payments: their prices can't be learned`)
  }
  const last = decoding.finish()
  await reading.take(splitter.take(last), last)
  await reading.take(splitter.finish(), REPLACEMENT)
  return await reading.finish()
}

/** Reads a file from its beginning to its end, in memory that does not grow with it. */
export const readReportFile = async (request: ReadingRequest, sink: ReadingSink): Promise<ReadingOutcome> => {
  const format = reportFormatOf(request.connector)
  if (format === undefined) return refused(`${request.connector} has no report that can be read`)
  try {
    return await readRecords(request.path, new FileReading(format, request, sink), createRecordSplitter())
  } catch (error) {
    if (error instanceof EndlessRecord) return refused(error.message)
    throw error
  }
}
