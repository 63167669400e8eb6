import { CLOCK_ERROR_MS, costIngestions, DUE_INDEX, type Ingestion, isDue } from '@switchyard/costs'
import { createLanes, isOperatingError } from '@switchyard/kernel'
import { systemTimers, type Timers } from '@switchyard/runtime'
import type { Fitter } from '../fitting/fitter.ts'
import { DUE_CHECK_INTERVAL_MS, FIT_GRACE_MS, PAGE_COUNT, READINGS_AT_ONCE_MAX, TAKEN_AT_ONCE_MAX } from '../limits.ts'
import type { Parts } from '../parts.ts'
import { ClaimLost, type Lease } from './lease.ts'
import { createLook } from './look.ts'
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

/** Ingestions that are due, or, of a process that is alone and began with what one left behind that is gone, all of them. */
const dueIngestions = async ({ store, now }: Parts, which: 'due' | 'all'): Promise<readonly Ingestion[]> => {
  const query = { collection: costIngestions.name, index: DUE_INDEX, prefix: [], limit: PAGE_COUNT } as const
  const at = now()
  if (which === 'all') {
    const open = (await store.range<Ingestion>({ ...query, order: 'ascending' })).map(({ body }) => body)
    // One that waits for its next attempt was in nobody's hands.
    return open.filter((ingestion) => ingestion.status === 'PROCESSING' || isDue(ingestion, at))
  }
  const past = await store.range<Ingestion>({ ...query, order: 'ascending', to: at })
  const farAhead = await store.range<Ingestion>({ ...query, order: 'descending', from: at + CLOCK_ERROR_MS })
  return [...past, ...farAhead].map(({ body }) => body).filter((ingestion) => isDue(ingestion, at))
}

/** Where a report comes from: its connector, or nobody who could keep it waiting. */
const originOf = ({ reference, connector }: Ingestion): string => (reference === null ? '' : connector)

/** What a process has in hand. */
interface Taken {
  readonly origin: string
  /** Undefined while it is claimed. */
  readonly lease: Lease | undefined
}

/** {@link Parts} that read only so many files at the same time, however many are in hand. */
const readingInLanes = (parts: Parts): Parts => {
  const lanes = createLanes(READINGS_AT_ONCE_MAX)
  return { ...parts, readReport: (...reading) => lanes.run(() => parts.readReport(...reading)) }
}

/** One ingestion from its beginning to its end; a failure of log or documents leaves it to a later look. */
const createTake =
  (parts: Parts, fitter: Fitter, taken: Map<string, Taken>) =>
  async (found: Ingestion, takesOver: boolean): Promise<IngestionEnd> => {
    const { journal, spool, report } = parts
    const { ingestionId } = found
    try {
      const end = await runIngestion(parts, found, {
        hold: (lease) => taken.set(ingestionId, { origin: originOf(found), lease }),
        takesOver,
      })
      if (isOver(await journal.find(found))) await spool.remove(ingestionId)
      if (end === 'ingested') await fitter.learn(found)
      return end
    } catch (error) {
      if (!isOperatingError(error)) throw error
      report.failed(`the report ${ingestionId} is looked at again`, error)
      return 'left'
    } finally {
      taken.delete(ingestionId)
    }
  }

/** The {@link IngestionWorker} of a process. */
export const createIngestionWorker = (parts: Parts, fitter: Fitter, timers: Timers = systemTimers): IngestionWorker => {
  const { report, isAlone } = parts
  const taken = new Map<string, Taken>()
  const take = createTake(readingInLanes(parts), fitter, taken)
  const hasRoomFor = (origin: string): boolean => [...taken.values()].filter((one) => one.origin === origin).length < TAKEN_AT_ONCE_MAX
  let nextUnfittedMs = isAlone ? 0 : timers.now() + FIT_GRACE_MS
  let isLeftBehind = isAlone
  let cancelCheck: (() => void) | undefined

  /** What another process has read it also learns from, unless it died. */
  const fitForgotten = async (): Promise<void> => {
    if (timers.now() < nextUnfittedMs) return
    nextUnfittedMs = timers.now() + FIT_GRACE_MS
    for (const place of await fitter.unfitted(isAlone ? 0 : FIT_GRACE_MS)) look.track(fitter.learn(place))
  }

  const look = createLook(
    async () => {
      const takesOver = isLeftBehind
      const found = await dueIngestions(parts, takesOver ? 'all' : 'due')
      isLeftBehind = false
      for (const ingestion of found) {
        const origin = originOf(ingestion)
        if (taken.has(ingestion.ingestionId)) continue
        if (!hasRoomFor(origin)) {
          // What there is no room for now is still nobody's at the next look.
          isLeftBehind = takesOver
          continue
        }
        taken.set(ingestion.ingestionId, { origin, lease: undefined })
        // Behind its end there is room for another one.
        look.track(take(ingestion, takesOver).then((end) => (end === 'left' ? undefined : look.wake())))
      }
      await fitForgotten()
    },
    (error) => report.failed('taking reports in has failed', error),
  )

  const check = (): void => {
    look.wake()
    cancelCheck = timers.after(DUE_CHECK_INTERVAL_MS, check)
  }

  return {
    wake: look.wake,
    cancel: (ingestionId) => taken.get(ingestionId)?.lease?.abort(new ClaimLost()),
    start: check,
    stop: async () => {
      cancelCheck?.()
      for (const { lease } of taken.values()) lease?.abort(new ClaimLost())
      await look.end()
    },
  }
}
