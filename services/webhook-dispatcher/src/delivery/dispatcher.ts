import type { WebhooksEvent } from '@switchyard/events'
import { isOperatingError } from '@switchyard/kernel'
import { systemTimers, type Timers } from '@switchyard/runtime'
import { RECOVERY_GRACE_MS, webhookEndpoints } from '@switchyard/webhooks'
import { DUE_CHECK_INTERVAL_MS, DUE_RETRY_MS } from '../limits.ts'
import { currentEndpoint, type Parts } from '../parts.ts'
import { deliver } from './deliver.ts'
import { dueChains, type LaneId, lanesWithWork } from './due-chains.ts'

/** Delivers what is due, endpoint by endpoint; never holds up the log. */
export interface Dispatcher {
  /** Hears of what was recorded: new events go out at once, others when they are due. */
  readonly notice: (event: WebhooksEvent) => void
  /** From now on {@link notice} is heard. */
  readonly listen: () => void
  /** Finds what is due in the index, also what an earlier process began and never finished. */
  readonly start: () => Promise<void>
  /** Takes up nothing new, and waits for what is under way. */
  readonly stop: () => Promise<void>
}

const LANE_QUEUE_MAX = 256
const UNDER_WAY_MAX = 512

/** The work of one endpoint. */
interface Lane extends LaneId {
  /** When to look into the index, epoch milliseconds; infinite when there is nothing to find. */
  lookAt: number
  isLooking: boolean
  /** Chains that wait, new ones and those that were due; each stands in one place at most. */
  readonly fresh: string[]
  readonly due: string[]
  readonly known: Set<string>
  underWay: number
  takeDue: boolean
}

const newLane = ({ merchantId, profileId }: LaneId): Lane => ({
  merchantId,
  profileId,
  lookAt: Number.POSITIVE_INFINITY,
  isLooking: false,
  fresh: [],
  due: [],
  known: new Set(),
  underWay: 0,
  takeDue: false,
})

/** The {@link Dispatcher} over one set of parts. */
export const createDispatcher = (parts: Parts, timers: Timers = systemTimers): Dispatcher => {
  const lanes = new Map<string, Lane>()
  const running = new Set<Promise<void>>()
  let isRunning = false
  let cancelCheck: (() => void) | undefined

  const laneOf = (id: LaneId): Lane => {
    const key = JSON.stringify([id.merchantId, id.profileId])
    const known = lanes.get(key) ?? newLane(id)
    lanes.set(key, known)
    return known
  }

  const lookNoLaterThan = (lane: Lane, at: number): void => {
    lane.lookAt = Math.min(lane.lookAt, at)
  }

  const offer = (lane: Lane, chainId: string, queue: string[]): void => {
    if (lane.known.has(chainId)) return
    if (lane.known.size >= LANE_QUEUE_MAX) return lookNoLaterThan(lane, parts.now())
    lane.known.add(chainId)
    queue.push(chainId)
  }

  const next = (lane: Lane): string | undefined => {
    lane.takeDue = !lane.takeDue
    const [first, second] = lane.takeDue ? [lane.due, lane.fresh] : [lane.fresh, lane.due]
    return first.shift() ?? second.shift()
  }

  const run = async (lane: Lane, chainId: string): Promise<void> => {
    try {
      await deliver(parts, lane.merchantId, chainId)
    } catch (error) {
      parts.report.failed(`the delivery of ${chainId} could not be recorded`, error)
      if (!isOperatingError(error)) throw error
      lookNoLaterThan(lane, parts.now() + DUE_RETRY_MS)
    } finally {
      lane.known.delete(chainId)
      lane.underWay -= 1
    }
  }

  const pump = (lane: Lane): void => {
    const endpoint = currentEndpoint(parts, lane.merchantId, lane.profileId)
    const limit = endpoint?.maxConcurrencyCount ?? 1
    while (isRunning && lane.underWay < limit && running.size < UNDER_WAY_MAX) {
      const chainId = next(lane)
      if (chainId === undefined) return
      lane.underWay += 1
      const task = run(lane, chainId).finally(() => {
        running.delete(task)
        pump(lane)
      })
      running.add(task)
    }
  }

  const look = async (lane: Lane): Promise<void> => {
    lane.lookAt = Number.POSITIVE_INFINITY
    lane.isLooking = true
    try {
      await parts.journal.storeIndex(lane.merchantId)
      const { chainIds, nextAt } = await dueChains(parts.store, lane, parts.now())
      for (const chainId of chainIds) offer(lane, chainId, lane.due)
      if (nextAt !== undefined) lookNoLaterThan(lane, Math.max(nextAt, parts.now() + DUE_CHECK_INTERVAL_MS))
    } catch (error) {
      if (!isOperatingError(error)) throw error
      lookNoLaterThan(lane, parts.now() + DUE_RETRY_MS)
    } finally {
      lane.isLooking = false
    }
    pump(lane)
  }

  const check = (): void => {
    const now = parts.now()
    for (const [key, lane] of lanes) {
      if (lane.lookAt <= now && !lane.isLooking) void look(lane)
      else if (lane.lookAt === Number.POSITIVE_INFINITY && lane.known.size === 0 && !lane.isLooking) lanes.delete(key)
    }
    for (const lane of lanes.values()) pump(lane)
    cancelCheck = timers.after(DUE_CHECK_INTERVAL_MS, check)
  }

  const notice = (event: WebhooksEvent): void => {
    if (!isRunning) return
    switch (event.type) {
      case 'WebhookEventAccepted':
        if (!event.data.isDeliverable) return
        offer(laneOf(event.data), event.data.chainId, laneOf(event.data).fresh)
        return pump(laneOf(event.data))
      case 'DeliveryAttemptStarted':
        return lookNoLaterThan(laneOf(event.data), event.data.deadlineAt + RECOVERY_GRACE_MS)
      case 'DeliveryAttemptFinished':
        if (event.data.nextRetryAt !== null) lookNoLaterThan(laneOf(event.data), event.data.nextRetryAt)
        return
      default:
    }
  }

  /** An endpoint that is active again takes up what it left. */
  const resume = (merchantId: string): void => {
    if (!isRunning) return
    for (const { profileId, status } of parts.states.stateOf(webhookEndpoints, merchantId).endpoints) {
      if (status === 'active') lookNoLaterThan(laneOf({ merchantId, profileId }), parts.now())
    }
  }

  return {
    notice,
    listen: () => {
      isRunning = true
    },
    start: async () => {
      for await (const id of lanesWithWork(parts.store)) lookNoLaterThan(laneOf(id), parts.now())
      parts.states.onChange(resume)
      check()
    },
    stop: async () => {
      isRunning = false
      cancelCheck?.()
      await Promise.allSettled(running)
    },
  }
}
