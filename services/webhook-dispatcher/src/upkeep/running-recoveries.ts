import type { StoredDocument } from '@switchyard/kernel'
import { type Recovery, RUNNING_INDEX, webhookRecoveries } from '@switchyard/webhooks'
import { SCAN_PAGE_COUNT } from '../limits.ts'
import type { Parts } from '../parts.ts'
import { historySinceOf } from '../reads/list-events.ts'

const page = (parts: Parts, prefix: readonly string[]): Promise<readonly StoredDocument<Recovery>[]> =>
  parts.store.range<Recovery>({
    collection: webhookRecoveries.name,
    index: RUNNING_INDEX,
    prefix,
    order: 'ascending',
    limit: SCAN_PAGE_COUNT,
  })

/** Recoveries of all merchants that are stored and not at their end. */
export const runningRecoveries = async (parts: Parts): Promise<readonly Recovery[]> => (await page(parts, [])).map(({ body }) => body)

/** Picks those that have come no further since it was asked before. */
export const createStandstills = <Running extends Pick<Recovery, 'taskId' | 'attemptedCount'>>(): ((
  running: readonly Running[],
) => readonly Running[]) => {
  let before: ReadonlyMap<string, number> = new Map()
  return (running) => {
    const standing = running.filter(({ taskId, attemptedCount }) => before.get(taskId) === attemptedCount)
    before = new Map(running.map(({ taskId, attemptedCount }) => [taskId, attemptedCount]))
    return standing
  }
}

/** Those of one merchant, its own: an earlier merchant of its id may have left some that are not at their end yet. */
const runningOf = async (parts: Parts, merchantId: string): Promise<readonly Recovery[]> => {
  await parts.journal.storeIndexSoon(merchantId)
  const since = historySinceOf(parts, merchantId)
  return (await page(parts, [merchantId])).map(({ body }) => body).filter(({ startedAt }) => startedAt >= since)
}

/** Whether one of the merchant's runs. */
export const hasRunning = async (parts: Parts, merchantId: string): Promise<boolean> => (await runningOf(parts, merchantId)).length > 0

/** Where its beginning stands in the log; one of an earlier release does not say it, and goes first. */
const placeOf = ({ startedOffset = -1 }: Recovery): number => startedOffset

/**
 * Whether it runs, and no other one of the merchant that runs was begun before: processes may each begin one before they hear of the
 * other's, and one runs at a time (webhooks.md 9.4). The log has both in one order; clocks of two processes have none. Once true it
 * stays true until its end.
 */
export const hasTurn = async (parts: Parts, { merchantId, taskId }: Pick<Recovery, 'merchantId' | 'taskId'>): Promise<boolean> => {
  const running = await runningOf(parts, merchantId)
  const own = running.find((known) => known.taskId === taskId)
  return own !== undefined && !running.some((other) => placeOf(other) < placeOf(own))
}
