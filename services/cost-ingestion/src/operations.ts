import type { ClusterFilter, Coverage, Ingestion, ListedCluster, NoticedChange, Preflight, Preview, SentNotice } from '@switchyard/costs'
import type { ReportSource } from '@switchyard/events'
import type { Position } from '@switchyard/kernel'
import type { Origin } from './journal.ts'
import type { ShownConnector } from './reads/connector-fees.ts'

/** Why something is not done. */
export type CostRefusal =
  | 'MERCHANT_NOT_FOUND'
  | 'INGESTION_NOT_FOUND'
  | 'CONNECTOR_UNKNOWN'
  | 'SAMPLE_UNREADABLE'
  | 'COLUMNS_MISSING'
  | 'SAMPLES_MISSING'
  | 'NOTICE_UNREADABLE'
  | 'NOTICE_UNSIGNED'
  | 'CONFLICT'

/** What an operation gives, or why it was not done. `position` is that of what was recorded. */
export type Answer<Value> =
  | { readonly ok: true; readonly value: Value; readonly position?: Position | undefined }
  | { readonly ok: false; readonly refusal: CostRefusal; readonly detail?: string }

/** A report whose file is in the spool. */
export interface SpooledReport {
  readonly merchantId: string
  /** Registration of the merchant id that began to send it. */
  readonly life: number
  readonly ingestionId: string
  readonly connector: string
  readonly account: string
  readonly source: ReportSource
  readonly coversWholeDays: boolean
  readonly byteCount: number
  readonly origin: Origin
}

/** A notice of a connector, as it was sent. */
export interface NoticeRequest extends SentNotice {
  readonly connector: string
  readonly origin: Origin
}

/** Which ingestion of a merchant. */
interface IngestionRequest {
  readonly merchantId: string
  readonly ingestionId: string
}

/** Which of the learned clusters are meant; absent: all. */
export interface ClusterScope {
  readonly merchantId: string
  readonly connector?: string
  readonly account?: string
  /** `YYYY-MM-DD`. */
  readonly reportDate?: string
  readonly ingestionId?: string
}

/** A page of clusters. */
interface ClusterQuery extends ClusterScope {
  readonly filter: ClusterFilter
  readonly order: 'gross' | 'txns'
  readonly limit: number
  readonly offset: number
}

/** A cluster, and when its override was set. */
export interface ShownCluster {
  readonly cluster: ListedCluster
  /** Epoch milliseconds; null without an override. */
  readonly overriddenAt: number | null
}

/** A value that clusters can be filtered by. */
interface Facet {
  readonly column: string
  readonly value: string
  readonly txns: number
}

/** How far costs are known, by source. */
export interface MerchantCoverage {
  readonly coverage: Coverage
  /** Day of the latest fit; null without one. */
  readonly reportDate: string | null
  readonly sources: readonly {
    readonly connector: string
    readonly account: string
    readonly reportDate: string
    readonly coverage: Coverage
  }[]
}

/** A part of a file under a mapping of columns. */
interface SampleRequest {
  readonly merchantId: string
  readonly connector: string
  /** Null: no account is named, so no mapping is stored. */
  readonly account: string | null
  readonly sample: Uint8Array
}

/** Everything that can be done about settlement reports. Arguments and answers are plain data: the other side may be a thread of its own. */
export interface CostOperations {
  readonly accept: (report: SpooledReport) => Promise<Answer<Ingestion>>
  readonly takeNotice: (notice: NoticeRequest) => Promise<Answer<null>>
  readonly list: (request: { readonly merchantId: string }) => Promise<readonly Ingestion[]>
  readonly retrieve: (request: IngestionRequest) => Promise<Answer<Ingestion>>
  readonly remove: (request: IngestionRequest & { readonly origin: Origin }) => Promise<Answer<null>>
  readonly validateHeaders: (request: SampleRequest) => Promise<Answer<Preflight>>
  readonly preview: (
    request: Omit<SampleRequest, 'account'> & { readonly columns: Readonly<Record<string, string>>; readonly isCut: boolean },
  ) => Promise<Answer<Preview>>
  readonly clusters: (query: ClusterQuery) => Promise<readonly ShownCluster[]>
  readonly facets: (scope: ClusterScope) => Promise<readonly Facet[]>
  readonly connectorFees: (request: { readonly merchantId: string }) => Promise<readonly ShownConnector[]>
  readonly coverage: (request: { readonly merchantId: string }) => Promise<MerchantCoverage>
  readonly priceChanges: (request: { readonly merchantId: string }) => Promise<readonly NoticedChange[]>
  /** Waits until everything shown includes `position` of the topic; `POSITION_NOT_REACHED` after a bound. */
  readonly waitFor: (position: Position) => Promise<void>
}
