import type { NewId, Now, ReadStore } from '@switchyard/kernel'
import type { MerchantCipher, StreamStates } from '@switchyard/runtime'
import type { ReportSource } from './fetching/report-source.ts'
import type { FitReports } from './fitting/fitting.ts'
import type { CostJournal } from './journal.ts'
import type { ReadReport } from './reading/reading.ts'
import type { Spool } from './spool.ts'

/** What the operations work with. */
export interface Parts {
  readonly journal: CostJournal
  /** The documents. */
  readonly store: ReadStore
  readonly states: Pick<StreamStates, 'stateOf' | 'readIndex' | 'readIndexOfAll'>
  readonly spool: Spool
  readonly readReport: ReadReport
  readonly fitReports: FitReports
  /** What secrets and references of merchants are encrypted with. */
  readonly cipher: Pick<MerchantCipher, 'open' | 'seal'>
  readonly sourceOf: (connector: string) => ReportSource | undefined
  /** No other process takes reports in: what one left behind that is gone is this one's at once. */
  readonly isAlone: boolean
  readonly now: Now
  readonly newId: NewId
  /** What operators should hear of. */
  readonly report: { readonly info: (text: string) => void; readonly failed: (text: string, error: unknown) => void }
}
