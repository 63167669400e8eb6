import { isOperatingError } from '@switchyard/kernel'
import { pause, systemTimers, type Timers } from '@switchyard/runtime'
import { type CostJournal, INGESTION, type IngestionPlace } from '../journal.ts'
import { HEARTBEAT_MS, PROGRESS_PAUSE_MS } from '../limits.ts'
import type { Parts } from '../parts.ts'

/** Somebody else has the ingestion now, or it was deleted. */
export class ClaimLost extends Error {}

/** A claim on an ingestion, kept alive. */
export interface Lease {
  /** Aborted with {@link ClaimLost} when it is no longer one's own. */
  readonly signal: AbortSignal
  readonly advanced: (rowCount: number) => void
  /** Ends the ingestion here, before its claim does. */
  readonly abort: (reason: unknown) => void
  readonly stop: () => Promise<void>
}

/** Renews the claim again and again, and tells with it how far the file was read. */
export const keepLease = (
  { journal, now }: Pick<Parts, 'now'> & { readonly journal: Pick<CostJournal, 'decide'> },
  place: IngestionPlace,
  claimId: string,
  timers: Timers = systemTimers,
): Lease => {
  const losing = new AbortController()
  const ending = new AbortController()
  let rowCount = 0
  let toldRowCount = 0
  let toldMs = timers.now()

  const tell = async (): Promise<void> => {
    toldRowCount = rowCount
    toldMs = timers.now()
    const outcome = await journal.decide(place, { type: 'AdvanceIngestion', claimId, rowCount, at: now() }, INGESTION)
    if (!outcome.accepted) losing.abort(new ClaimLost())
  }
  const run = async (): Promise<void> => {
    while (!ending.signal.aborted && !losing.signal.aborted) {
      await pause(timers, PROGRESS_PAUSE_MS, ending.signal)
      if (ending.signal.aborted || (rowCount === toldRowCount && timers.now() - toldMs < HEARTBEAT_MS)) continue
      try {
        await tell()
      } catch (error) {
        // The log or the documents are away: the lease may end, and then somebody else begins anew.
        if (!isOperatingError(error)) throw error
      }
    }
  }
  const running = run().catch((error: unknown) => losing.abort(error))

  return {
    signal: losing.signal,
    advanced: (count) => {
      rowCount = count
    },
    abort: (reason) => losing.abort(reason),
    stop: async () => {
      ending.abort()
      await running
    },
  }
}
