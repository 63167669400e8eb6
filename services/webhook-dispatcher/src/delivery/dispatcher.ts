import type { WebhooksEvent } from '@switchyard/events'
import { isOperatingError } from '@switchyard/kernel'
import { systemTimers, type Timers, within } from '@switchyard/runtime'
import { createDispatchEngine, type Delivery, isSuccess, RECOVERY_GRACE_MS, webhookEndpoints } from '@switchyard/webhooks'
import { DISPATCH_LIMITS, DRAIN_MAX_MS, DUE_CHECK_INTERVAL_MS, DUE_RETRY_MS } from '../limits.ts'
import { currentEndpoint, type Parts } from '../parts.ts'
import { type Delivered, deliver } from './deliver.ts'
import { dueChains, endpointsWithWork } from './due-chains.ts'
import { createEndpointWorks, type EndpointWork, lookBy } from './endpoint-work.ts'

/** Delivers what is due, endpoint by endpoint; never holds up the log. */
export interface Dispatcher {
  /** Hears of what was recorded: new events go out at once, others when they are due. */
  readonly notice: (event: WebhooksEvent) => void
  /** From now on {@link notice} is heard. */
  readonly listen: () => void
  /** Finds what is due in the index, also what an earlier process began and never finished. */
  readonly start: () => Promise<void>
  /** Takes up nothing new, and waits for what is under way, within a bound. */
  readonly stop: () => Promise<void>
}

/** An endpoint takes more from the index when it holds no more than this. */
const HELD_LOW = DISPATCH_LIMITS.waitingPerEndpointMax / 2

const RESULTS = { delivered: 'succeeded', failed: 'failed', 'not-sent': 'unsent' } as const satisfies Readonly<Record<Delivered, string>>

/** The {@link Dispatcher} over one set of parts. */
export const createDispatcher = (parts: Parts, timers: Timers = systemTimers): Dispatcher => {
  const works = createEndpointWorks()
  const running = new Map<string, Promise<void>>()
  let isRunning = false
  let cancelCheck: (() => void) | undefined

  const engine = createDispatchEngine<Delivery>({
    limits: DISPATCH_LIMITS,
    endpointSettings: (endpointId) => {
      const work = works.find(endpointId)
      const endpoint = work === undefined ? undefined : currentEndpoint(parts, work.merchantId, work.profileId)
      return { concurrencyMax: endpoint?.maxConcurrencyCount ?? 1, perSecondMax: endpoint?.maxPerSecondCount ?? null }
    },
  })

  const offer = (work: EndpointWork, { chainId, lane }: Pick<Delivery, 'chainId' | 'lane'>): void => {
    switch (engine.offer({ chainId, lane, endpointId: work.id, merchantId: work.merchantId })) {
      case 'waits':
        work.heldCount += 1
        return
      case 'held_already':
        return
      case 'endpoint_full':
        work.isShort = true
        return
      default:
        // Others hold all there is room for; nothing of this endpoint may come to its end and bring it back.
        lookBy(work, parts.now() + DUE_RETRY_MS)
    }
  }

  const letGo = (work: EndpointWork, count: number): void => {
    work.heldCount -= count
    if (!work.isShort || work.heldCount > HELD_LOW) return
    work.isShort = false
    engine.caughtUp(work.id)
    lookBy(work, parts.now())
  }

  const attempt = async (delivery: Delivery, work: EndpointWork): Promise<void> => {
    const { chainId, merchantId } = delivery
    let result: Delivered = 'not-sent'
    try {
      result = await deliver(parts, merchantId, chainId)
    } catch (error) {
      if (!isOperatingError(error)) throw error
      parts.report.failed(`the delivery of ${chainId} could not be recorded; it is looked at again`, error)
    } finally {
      running.delete(chainId)
      engine.ended(chainId, RESULTS[result], parts.now())
      // Somebody else was faster, or it was not to be sent after all: the index tells which.
      if (result === 'not-sent') lookBy(work, parts.now() + DUE_RETRY_MS)
      letGo(work, 1)
    }
    pump()
  }

  const pump = (): void => {
    if (!isRunning) return
    for (let next = engine.next(parts.now()); next !== undefined; next = engine.next(parts.now())) {
      const work = works.find(next.endpointId)
      if (work !== undefined) running.set(next.chainId, attempt(next, work))
    }
  }

  /** What is due stands in the store only when everything is stored that was recorded until now. */
  const look = async (work: EndpointWork): Promise<void> => {
    work.lookAt = Number.POSITIVE_INFINITY
    work.isLooking = true
    try {
      await parts.journal.storeIndex(work.merchantId)
      const { due, isFull, nextAt } = await dueChains(parts.store, work, parts.now())
      const isActive = currentEndpoint(parts, work.merchantId, work.profileId)?.status === 'active'
      // What an endpoint leaves that is not active stays in the index; only attempts that were begun come to their end.
      for (const found of due) if (isActive || found.isBegun) offer(work, found)
      work.isShort ||= isFull && isActive
      if (nextAt !== undefined) lookBy(work, nextAt)
      letGo(work, 0)
    } catch (error) {
      if (!isOperatingError(error)) throw error
      lookBy(work, parts.now() + DUE_RETRY_MS)
    } finally {
      work.isLooking = false
    }
    pump()
  }

  const check = (): void => {
    for (const work of works.toLookFor(parts.now())) void look(work)
    pump()
    cancelCheck = timers.after(DUE_CHECK_INTERVAL_MS, check)
  }

  const notice = (event: WebhooksEvent): void => {
    if (!isRunning) return
    switch (event.type) {
      case 'WebhookEventAccepted': {
        const { chainId, isDeliverable } = event.data
        if (isDeliverable) offer(works.of(event.data), { chainId, lane: 'new' })
        return pump()
      }
      case 'DeliveryAttemptStarted':
        return lookBy(works.of(event.data), event.data.deadlineAt + RECOVERY_GRACE_MS)
      case 'DeliveryAttemptFinished': {
        const { chainId, nextRetryAt, statusCode } = event.data
        const work = works.of(event.data)
        if (nextRetryAt !== null) lookBy(work, nextRetryAt)
        // It answered well to an attempt by hand: no need to probe it.
        if (isSuccess(statusCode) && !running.has(chainId)) engine.trust(work.id)
        return
      }
      default:
    }
  }

  /** An endpoint that is configured anew takes up what it left; one that is not active leaves what waits to the index. */
  const reconfigured = (merchantId: string): void => {
    if (!isRunning) return
    for (const { profileId, status, updatedAt } of parts.states.stateOf(webhookEndpoints, merchantId).endpoints) {
      const work = works.of({ merchantId, profileId })
      if (work.configuredAt === updatedAt) continue
      work.configuredAt = updatedAt
      engine.trust(work.id)
      if (status === 'active') lookBy(work, parts.now())
      else letGo(work, engine.withdraw(work.id).length)
    }
  }

  return {
    notice,
    listen: () => {
      isRunning = true
    },
    start: async () => {
      for await (const id of endpointsWithWork(parts.store)) lookBy(works.of(id), parts.now())
      parts.states.onChange(reconfigured)
      check()
    },
    stop: async () => {
      isRunning = false
      cancelCheck?.()
      const late = (): Error => new Error('attempts are still under way')
      await within(timers, Promise.allSettled(running.values()), DRAIN_MAX_MS, late).catch(() => {})
    },
  }
}
