import type {
  IngestionAdvanced,
  IngestionDeleted,
  IngestionFailed,
  IngestionFitted,
  IngestionStarted,
  ReportProblem,
  ReportSource,
  SettlementReportAccepted,
  SettlementReportIngested,
} from '@switchyard/events'
import { assertNever } from '@switchyard/kernel'

/** What the state of an ingestion follows from. */
export type IngestionEvent =
  | SettlementReportAccepted
  | IngestionStarted
  | IngestionAdvanced
  | SettlementReportIngested
  | IngestionFailed
  | IngestionFitted
  | IngestionDeleted

/** `INGESTED`: it counts, and the next fit shows it. `FAILED`: it is tried no more. `DELETED` is not shown. */
export type IngestionStatus = 'ABSENT' | 'PENDING' | 'PROCESSING' | 'INGESTED' | 'COMPLETED' | 'FAILED' | 'DELETED'

/** What a report told, once all of it was read (cost.md 3.5). */
export interface IngestedReport {
  readonly chunkCount: number
  readonly skippedCount: number
  readonly unreadableCount: number
  /** `YYYY-MM-DD`; null when nothing counted. */
  readonly firstDate: string | null
  readonly lastDate: string | null
  /** Major units by settlement currency. */
  readonly grossByCurrency: Readonly<Record<string, number>>
  readonly countries: readonly string[]
}

/** A fit that shows what a report told. */
export interface ReportFit {
  readonly fitId: string
  /** `YYYY-MM-DD`. */
  readonly reportDate: string
  readonly clusterCount: number
  readonly goodClusterCount: number
}

/** One report on its way into the statistics of an account; times are epoch milliseconds. */
export interface Ingestion {
  readonly merchantId: string
  /** Registration of the merchant id that it is for. */
  readonly life: number
  readonly ingestionId: string
  readonly connector: string
  readonly account: string
  readonly source: ReportSource
  readonly coversWholeDays: boolean
  /** Sealed; null when the file was uploaded. */
  readonly reference: Uint8Array | null
  readonly byteCount: number | null
  readonly status: IngestionStatus
  /** Counts what a claim must have seen (law 5). */
  readonly version: number
  readonly attemptCount: number
  /** Empty when nobody has it. */
  readonly claimId: string
  readonly rowCount: number
  readonly report: IngestedReport | null
  readonly fit: ReportFit | null
  readonly lastError: string | null
  readonly problems: readonly ReportProblem[]
  readonly createdAt: number
  /** Its place among the reports that were accepted; undefined of those that an earlier release has accepted. */
  readonly acceptedOffset?: number
  /** Declared index: when somebody should begin with it, or take it over. */
  readonly dueAt?: number
  /** Declared index: `createdAt` of what is shown. */
  readonly listedAt?: number
  /** Declared index: since when the latest fit of its account lacks it, or still has it. */
  readonly unfittedSince?: number
  /** Declared index: its place among the reports of its account that count. */
  readonly sequence?: number
}

/** An ingestion of which nothing was recorded. */
export const absentIngestion = (merchantId: string, life: number, ingestionId: string): Ingestion => ({
  merchantId,
  life,
  ingestionId,
  connector: '',
  account: '',
  source: 'UNKNOWN',
  coversWholeDays: true,
  reference: null,
  byteCount: null,
  status: 'ABSENT',
  version: 0,
  attemptCount: 0,
  claimId: '',
  rowCount: 0,
  report: null,
  fit: null,
  lastError: null,
  problems: [],
  createdAt: 0,
})

const notDue = ({ dueAt: _dueAt, ...ingestion }: Ingestion): Ingestion => ingestion

const accepted = (ingestion: Ingestion, { data }: SettlementReportAccepted, offset: number): Ingestion => {
  const { merchantId, life, ingestionId, status, version } = ingestion
  if (status !== 'ABSENT' && status !== 'FAILED') return ingestion
  const { connector, account, source, coversWholeDays, reference, byteCount, at } = data
  const told = { connector, account, source, coversWholeDays, reference, byteCount }
  const empty = absentIngestion(merchantId, life, ingestionId)
  return { ...empty, ...told, status: 'PENDING', version: version + 1, createdAt: at, acceptedOffset: offset, dueAt: at, listedAt: at }
}

const started = (ingestion: Ingestion, { data: { claimId, leaseEndsAt } }: IngestionStarted): Ingestion => {
  const { status, version, attemptCount } = ingestion
  if (status !== 'PENDING' && status !== 'PROCESSING') return ingestion
  return {
    ...ingestion,
    status: 'PROCESSING',
    version: version + 1,
    attemptCount: attemptCount + 1,
    claimId,
    rowCount: 0,
    dueAt: leaseEndsAt,
  }
}

const ingested = (ingestion: Ingestion, { data }: SettlementReportIngested, offset: number): Ingestion => {
  const { chunkCount, skippedCount, unreadableCount, firstDate, lastDate, grossByCurrency, countries, rowCount, problems, at } = data
  const report = { chunkCount, skippedCount, unreadableCount, firstDate, lastDate, grossByCurrency, countries }
  return { ...notDue(ingestion), status: 'INGESTED', rowCount, report, problems, lastError: null, unfittedSince: at, sequence: offset }
}

const failed = (ingestion: Ingestion, { data: { message, problems, retryAt } }: IngestionFailed): Ingestion => {
  const next = { ...ingestion, version: ingestion.version + 1, claimId: '', rowCount: 0, lastError: message, problems }
  return retryAt === null ? { ...notDue(next), status: 'FAILED' } : { ...next, status: 'PENDING', dueAt: retryAt }
}

const fitted = (ingestion: Ingestion, { data }: IngestionFitted): Ingestion => {
  const { unfittedSince: _unfittedSince, ...rest } = ingestion
  if (ingestion.status === 'DELETED') return rest
  if (ingestion.status !== 'INGESTED') return ingestion
  const { fitId, reportDate, clusterCount, goodClusterCount } = data
  return { ...rest, status: 'COMPLETED', fit: { fitId, reportDate, clusterCount, goodClusterCount } }
}

/** Nothing is kept but whose it was, and that costs are to be learned anew where it had counted. */
const deleted = (ingestion: Ingestion, { data: { at } }: IngestionDeleted): Ingestion => {
  const { merchantId, life, ingestionId, connector, account, status, createdAt, version } = ingestion
  if (status === 'ABSENT' || status === 'DELETED') return ingestion
  const empty = { ...absentIngestion(merchantId, life, ingestionId), connector, account, createdAt, version: version + 1 }
  const hadCounted = status === 'INGESTED' || status === 'COMPLETED'
  return { ...empty, status: 'DELETED', ...(hadCounted && { unfittedSince: at }) }
}

/** Whether an event of this claim still counts: nobody else has taken the ingestion over, and it was not deleted. */
const isHeldBy = ({ status, claimId }: Ingestion, data: { readonly claimId: string }): boolean =>
  status === 'PROCESSING' && claimId === data.claimId

/** What whoever has an ingestion tells of it. */
const underClaim = (
  ingestion: Ingestion,
  event: IngestionAdvanced | SettlementReportIngested | IngestionFailed,
  offset: number,
): Ingestion => {
  switch (event.type) {
    case 'IngestionAdvanced':
      return { ...ingestion, rowCount: event.data.rowCount, dueAt: event.data.leaseEndsAt }
    case 'SettlementReportIngested':
      return ingested(ingestion, event, offset)
    case 'IngestionFailed':
      return failed(ingestion, event)
    default:
      return assertNever(event)
  }
}

/** The fold of an ingestion, `offset` being the event's in its partition; the same ingestion when nothing changed. */
export const evolveIngestion = (ingestion: Ingestion, event: IngestionEvent, offset: number): Ingestion => {
  switch (event.type) {
    case 'SettlementReportAccepted':
      return accepted(ingestion, event, offset)
    case 'IngestionStarted':
      return started(ingestion, event)
    case 'IngestionAdvanced':
    case 'SettlementReportIngested':
    case 'IngestionFailed':
      return isHeldBy(ingestion, event.data) ? underClaim(ingestion, event, offset) : ingestion
    case 'IngestionFitted':
      return fitted(ingestion, event)
    case 'IngestionDeleted':
      return deleted(ingestion, event)
    default:
      return assertNever(event)
  }
}
