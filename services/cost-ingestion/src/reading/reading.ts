import type { CellProblem, ContributionChunk, Day, IngestedReport } from '@switchyard/costs'

/** A file to read, and what its reading needs to know. Plain data: another thread does it. */
export interface ReadingRequest {
  readonly path: string
  readonly connector: string
  readonly columns: Readonly<Record<string, string>>
  /** Card products by BIN, as earlier reports of the merchant tell them. */
  readonly productByBin: ReadonlyMap<string, string>
  readonly ingestedOn: Day
}

/** Hears of a file while it is read. */
export interface ReadingSink {
  readonly advanced: (rowCount: number) => void
  /** Takes a part of the contribution; reading waits for it. */
  readonly chunk: (chunk: ContributionChunk) => Promise<void>
}

/** How a reading ended. `refused`: the file is what is wrong, and nothing of it is to be used. */
export type ReadingOutcome =
  | {
      readonly kind: 'read'
      readonly rowCount: number
      readonly report: Omit<IngestedReport, 'chunkCount'>
      readonly problems: readonly CellProblem[]
    }
  | { readonly kind: 'refused'; readonly message: string; readonly problems: readonly CellProblem[] }

/** Reads a file. Rejects when the disk fails, the sink does, more memory is needed than there may be, or with the reason of `signal`. */
export type ReadReport = (request: ReadingRequest, sink: ReadingSink, signal: AbortSignal) => Promise<ReadingOutcome>
