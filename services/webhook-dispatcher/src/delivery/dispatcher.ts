import type { DeliveryFigures } from '@switchyard/composition'
import type { WebhooksEvent } from '@switchyard/events'
import { isOperatingError } from '@switchyard/kernel'
import { systemTimers, type Timers } from '@switchyard/runtime'
import type { CallResult, Delivery } from '@switchyard/webhooks'
import { DUE_CHECK_INTERVAL_MS, DUE_RETRY_MS } from '../limits.ts'
import { currentEndpoint, type Parts } from '../parts.ts'
import { type Delivered, deliver } from './deliver.ts'
import { drained } from './drained.ts'
import { dueChains, endpointsWithWork } from './due-chains.ts'
import { type EndpointWork, lookBy } from './endpoint-work.ts'
import { createForwardClock } from './forward-clock.ts'
import { createHeldWork, type HeldWork } from './held-work.ts'
import { createNotices } from './notices.ts'
import { createRetryPace } from './retry-pace.ts'

/** Delivers what is due, endpoint by endpoint; never holds up the log. */
export interface Dispatcher {
  /** Hears of what was recorded: new events go out at once, others when they are due. */
  readonly notice: (event: WebhooksEvent) => void
  /** From now on {@link notice} is heard. */
  readonly listen: () => void
  /** What waits and what is under way now. */
  readonly figures: () => Pick<DeliveryFigures, 'waiting' | 'underWay' | 'openCircuitCount'>
  /** Finds what is due in the index, also what an earlier process began and never finished. */
  readonly start: () => Promise<void>
  /** Takes up nothing new, and waits for what is under way, within a bound. */
  readonly stop: () => Promise<void>
}

const RESULTS: Readonly<Record<Delivered, CallResult>> = { delivered: 'succeeded', failed: 'failed', 'not-sent': 'unsent' }

/** Whether an attempt at this chain is under way here. */
type IsOwn = (chainId: string) => boolean

/** One attempt at what has its turn; a failure of log or store leaves it to the next look. */
const attemptAt = async (parts: Parts, { merchantId, chainId }: Delivery): Promise<Delivered> => {
  try {
    return await deliver(parts, merchantId, chainId)
  } catch (error) {
    if (!isOperatingError(error)) throw error
    parts.report.failed(`the delivery of ${chainId} could not be recorded; it is looked at again`, error)
    return 'not-sent'
  }
}

/** Takes what is due from the index. What was recorded until now has to be stored before it is found there. */
const takeDue = async (parts: Parts, { take }: HeldWork, work: EndpointWork, isOwn: IsOwn): Promise<void> => {
  await (work.isHungry ? parts.journal.storeIndexSoon : parts.journal.storeIndex)(work.merchantId)
  work.isHungry = false
  const page = await dueChains(parts.store, work, parts.now())
  take(work, page, currentEndpoint(parts, work.merchantId, work.profileId)?.status === 'active')
  // The end of its attempt may be recorded and not known here yet: what is due then is taken when it is held no more.
  if (page.due.some(({ chainId }) => isOwn(chainId))) lookBy(work, parts.now() + DUE_RETRY_MS)
}

/** {@link takeDue}, later again when log or store are away. */
const look = async (parts: Parts, held: HeldWork, work: EndpointWork, isOwn: IsOwn): Promise<void> => {
  work.lookAt = Number.POSITIVE_INFINITY
  work.isLooking = true
  try {
    await takeDue(parts, held, work, isOwn)
  } catch (error) {
    if (!isOperatingError(error)) throw error
    lookBy(work, parts.now() + DUE_RETRY_MS)
  } finally {
    work.isLooking = false
  }
}

/** The {@link Dispatcher} over one set of parts. */
export const createDispatcher = (parts: Parts, timers: Timers = systemTimers): Dispatcher => {
  const held = createHeldWork(parts)
  const { engine, works, letGo } = held
  const retryPace = createRetryPace(timers)
  /** For rates and circuits; what is due is told by the clock. */
  const engineNow = createForwardClock(parts.now)
  const running = new Map<string, Promise<void>>()
  const isOwn: IsOwn = (chainId) => running.has(chainId)
  const notices = createNotices(parts, held, isOwn)
  let isRunning = false
  let cancelCheck: (() => void) | undefined

  const run = async (delivery: Delivery, work: EndpointWork): Promise<void> => {
    if (delivery.lane === 'retry') await retryPace()
    // What only waited for its turn is left to the next process: it would be cut off.
    const result = isRunning ? await attemptAt(parts, delivery) : 'not-sent'
    running.delete(delivery.chainId)
    engine.ended(delivery.chainId, RESULTS[result], engineNow())
    // Somebody else was faster, or it was not to be sent after all: the index tells which.
    if (result === 'not-sent') lookBy(work, parts.now() + DUE_RETRY_MS)
    letGo(work, [delivery])
    pump()
  }

  const pump = (): void => {
    if (!isRunning) return
    for (let next = engine.next(engineNow()); next !== undefined; next = engine.next(engineNow())) {
      const work = works.find(next.endpointId)
      if (work !== undefined) running.set(next.chainId, run(next, work))
    }
  }

  const check = (): void => {
    for (const work of works.toLookFor(parts.now())) void look(parts, held, work, isOwn).then(pump)
    pump()
    cancelCheck = timers.after(DUE_CHECK_INTERVAL_MS, check)
  }

  return {
    notice: (event) => {
      if (!isRunning) return
      notices.recorded(event)
      pump()
    },
    listen: () => {
      isRunning = true
    },
    figures: () => engine.figures(engineNow()),
    start: async () => {
      for await (const id of endpointsWithWork(parts.store)) lookBy(works.of(id), parts.now())
      parts.states.onChange((merchantId) => {
        if (isRunning) notices.configured(merchantId)
      })
      check()
    },
    stop: async () => {
      isRunning = false
      cancelCheck?.()
      await drained(timers, running.values())
    },
  }
}
