import type { AccountFit, ContributionChunk } from '@switchyard/costs'
import type { ContributionPart, FittingRequest } from '../fitting/fitting.ts'
import type { ReadingOutcome, ReadingRequest } from '../reading/reading.ts'

/** What a thread of its own is started for. */
export type ReportTask =
  | { readonly kind: 'read'; readonly request: ReadingRequest }
  | { readonly kind: 'fit'; readonly request: Omit<FittingRequest, 'parts'> }

/** What the thread is told. */
export type ToThread =
  | { readonly kind: 'taken' }
  | { readonly kind: 'part'; readonly part: ContributionPart }
  | { readonly kind: 'all-told' }

/** What the thread tells. */
export type FromThread =
  | { readonly kind: 'advanced'; readonly rowCount: number }
  | { readonly kind: 'chunk'; readonly chunk: ContributionChunk }
  | { readonly kind: 'read'; readonly outcome: ReadingOutcome }
  | { readonly kind: 'ready' }
  | { readonly kind: 'fit-event'; readonly event: AccountFit['events'][number] }
  | { readonly kind: 'fitted'; readonly changes: AccountFit['changes']; readonly touched: AccountFit['touched'] }
