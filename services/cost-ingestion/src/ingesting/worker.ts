import { costIngestions, DUE_INDEX, type Ingestion } from '@switchyard/costs'
import { isOperatingError } from '@switchyard/kernel'
import { systemTimers, type Timers } from '@switchyard/runtime'
import type { Fitter } from '../fitting/fitter.ts'
import { DUE_CHECK_INTERVAL_MS, FIT_GRACE_MS, PAGE_COUNT, READINGS_AT_ONCE_MAX } from '../limits.ts'
import type { Parts } from '../parts.ts'
import { ClaimLost, type Lease } from './lease.ts'
import { type IngestionEnd, runIngestion } from './run-ingestion.ts'

/** Takes reports in as they become due, and learns costs anew where they have changed. */
export interface IngestionWorker {
  /** Looks for what is due now: something was accepted. */
  readonly wake: () => void
  /** Ends the reading of a report that was deleted. */
  readonly cancel: (ingestionId: string) => void
  readonly start: () => void
  /** Leaves what is under way: its claim ends, and then it is begun anew. */
  readonly stop: () => Promise<void>
}

const isOver = ({ status }: Ingestion): boolean => status !== 'PENDING' && status !== 'PROCESSING'

/** The {@link IngestionWorker} of a process. */
export const createIngestionWorker = (parts: Parts, fitter: Fitter, timers: Timers = systemTimers): IngestionWorker => {
  const { journal, store, spool, now, report } = parts
  const leases = new Map<string, Lease | undefined>()
  const running = new Set<Promise<void>>()
  let isStopped = false
  let cancelCheck: (() => void) | undefined
  let looking: Promise<void> | undefined
  let isAskedAgain = false
  let nextUnfittedLookAt = 0

  const take = async (found: Ingestion): Promise<void> => {
    const { ingestionId } = found
    let end: IngestionEnd = 'left'
    try {
      end = await runIngestion(parts, found, (lease) => leases.set(ingestionId, lease))
      const after = await journal.find(found)
      if (isOver(after)) await spool.remove(ingestionId)
      if (end === 'ingested') await fitter.fit(found)
    } catch (error) {
      if (!isOperatingError(error)) throw error
      report.failed(`the report ${ingestionId} is looked at again`, error)
    } finally {
      leases.delete(ingestionId)
    }
    // There is room for another one.
    if (end !== 'left') wake()
  }

  const track = (work: Promise<void>): void => {
    const tracked = work
      .catch((error: unknown) => report.failed('taking in a report has failed', error))
      .finally(() => running.delete(tracked))
    running.add(tracked)
  }

  const look = async (): Promise<void> => {
    const query = { collection: costIngestions.name, index: DUE_INDEX, prefix: [], to: now(), order: 'ascending' } as const
    for (const { body } of await store.range<Ingestion>({ ...query, limit: PAGE_COUNT })) {
      if (isStopped || leases.size >= READINGS_AT_ONCE_MAX) break
      if (leases.has(body.ingestionId)) continue
      leases.set(body.ingestionId, undefined)
      track(take(body))
    }
    if (now() < nextUnfittedLookAt) return
    nextUnfittedLookAt = now() + FIT_GRACE_MS
    // What another process has read it also learns from, unless it died.
    for (const place of await fitter.unfitted(now() - FIT_GRACE_MS)) track(fitter.fit(place))
  }

  const wake = (): void => {
    if (isStopped) return
    isAskedAgain = true
    looking ??= (async () => {
      while (isAskedAgain && !isStopped) {
        isAskedAgain = false
        try {
          await look()
        } catch (error) {
          if (!isOperatingError(error)) throw error
        }
      }
    })()
      .catch((error: unknown) => report.failed('looking for reports has failed', error))
      .finally(() => {
        looking = undefined
      })
  }

  const check = (): void => {
    wake()
    cancelCheck = timers.after(DUE_CHECK_INTERVAL_MS, check)
  }

  return {
    wake,
    cancel: (ingestionId) => leases.get(ingestionId)?.abort(new ClaimLost()),
    start: check,
    stop: async () => {
      isStopped = true
      cancelCheck?.()
      for (const lease of leases.values()) lease?.abort(new ClaimLost())
      await Promise.all([looking, ...running])
    },
  }
}
