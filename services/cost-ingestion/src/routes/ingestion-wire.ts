import type { IngestedReport, Ingestion, IngestionStatus } from '@switchyard/costs'
import * as z from 'zod'

const STATUSES: Readonly<Record<IngestionStatus, 'pending' | 'processing' | 'completed' | 'failed'>> = {
  ABSENT: 'pending',
  PENDING: 'pending',
  PROCESSING: 'processing',
  INGESTED: 'processing',
  COMPLETED: 'completed',
  FAILED: 'failed',
  DELETED: 'failed',
}

const text = z.string()
const textOrNull = z.string().nullable()
const count = z.int().min(0)

/** An item of the list (cost.md 3.5). */
export const ingestionAnswer: z.ZodType = z.object({
  id: text,
  connector: text,
  account: text,
  source: z.enum(['webhook', 'poll', 'manual', 'sample']),
  status: z.enum(['pending', 'processing', 'completed', 'failed']),
  staged_rows: count,
  report_date: textOrNull,
  period_start: textOrNull,
  period_end: textOrNull,
  currency_count: count,
  country_count: count,
  currencies: z.array(text),
  countries: z.array(text),
  total_gross: z.number(),
  gross_by_currency: z.record(text, z.number()),
  total_clusters: count,
  good_clusters: count,
  skipped_rows: count,
  unreadable_rows: count,
  problems: z.array(z.object({ line: count, column: text, detail: text })),
  attempts: count,
  next_attempt_at: textOrNull,
  last_error: textOrNull,
  created_at: text,
})

/** Seconds, as clients know it. */
const printSecond = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`

/** A file that was uploaded is taken in at once: it is shown as being read from the first moment on. */
const printStatus = ({ status, source, attemptCount }: Ingestion): string => {
  const isBegunAtOnce = (source === 'MANUAL' || source === 'SAMPLE') && attemptCount === 0
  return status === 'PENDING' && isBegunAtOnce ? 'processing' : STATUSES[status]
}

const NOTHING: IngestedReport = {
  chunkCount: 0,
  skippedCount: 0,
  unreadableCount: 0,
  firstDate: null,
  lastDate: null,
  grossByCurrency: {},
  countries: [],
}

const reportFields = ({ report }: Ingestion): object => {
  const { firstDate, lastDate, grossByCurrency, countries, skippedCount, unreadableCount } = report ?? NOTHING
  const currencies = Object.keys(grossByCurrency)
    .filter((currency) => currency !== '')
    .sort()
  return {
    period_start: firstDate,
    period_end: lastDate,
    currency_count: currencies.length,
    country_count: countries.length,
    currencies,
    countries,
    total_gross: Object.values(grossByCurrency).reduce((sum, gross) => sum + gross, 0),
    gross_by_currency: grossByCurrency,
    skipped_rows: skippedCount,
    unreadable_rows: unreadableCount,
  }
}

/** One ingestion as it is shown. */
export const printIngestion = (ingestion: Ingestion): object => {
  const { ingestionId, connector, account, source, rowCount, fit, problems, attemptCount, status, dueAt, lastError, createdAt } = ingestion
  return {
    id: ingestionId,
    connector,
    account,
    source: source.toLowerCase(),
    status: printStatus(ingestion),
    staged_rows: rowCount,
    report_date: fit?.reportDate ?? null,
    ...reportFields(ingestion),
    total_clusters: fit?.clusterCount ?? 0,
    good_clusters: fit?.goodClusterCount ?? 0,
    problems: problems.map(({ line, column, detail }) => ({ line, column, detail })),
    attempts: attemptCount,
    next_attempt_at: status === 'PENDING' && attemptCount > 0 && dueAt !== undefined ? printSecond(dueAt) : null,
    last_error: lastError,
    created_at: printSecond(createdAt),
  }
}
