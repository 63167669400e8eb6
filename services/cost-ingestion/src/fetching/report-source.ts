import type { ReadyReport } from '@switchyard/costs'
import type { FetchStream } from '@switchyard/kernel'
import type { AssertReportHost } from './report-hosts.ts'

/** What fetching works with. */
export interface SourceTools {
  readonly fetchStream: FetchStream
  readonly assertHost: AssertReportHost
  /** Epoch milliseconds. */
  readonly now: () => number
}

/** A report at its connector. */
interface SourcedReport {
  /** The credential for downloads, in clear. */
  readonly secret: string
  /** What a notice, or a list of reports, named it by. */
  readonly reference: string
  /** Breaks the fetching off. */
  readonly signal: AbortSignal
}

/** How the reports of a connector are fetched (cost.md 3.3). Rejects with `FetchFailed`, or the reason of a signal. */
export interface ReportSource {
  readonly connector: string
  readonly fetch: (report: SourcedReport) => Promise<AsyncIterable<Uint8Array>>
  /** Reports that are ready; undefined for a connector that tells by itself. */
  readonly listReady: ((secret: string, signal: AbortSignal) => Promise<readonly ReadyReport[]>) | undefined
}
