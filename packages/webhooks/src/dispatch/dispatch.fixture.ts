import { assert } from '@switchyard/kernel'
import type { CallResult } from './circuit-breaker.ts'
import { createDispatchEngine, type DispatchEngine } from './dispatch-engine.ts'
import { DEFAULT_DISPATCH_LIMITS, type DispatchLimits } from './dispatch-limits.ts'
import type { Delivery, EndpointSettings, Lane } from './endpoint-queue.ts'
import type { Offer } from './held-deliveries.ts'

/** An engine with a clock of its own and a book of all that happened. */
export interface DispatchRun {
  readonly engine: DispatchEngine<Delivery>
  readonly now: () => number
  readonly advance: (durationMs: number) => void
  readonly offer: (endpointId: string, lane?: Lane, merchantId?: string) => Offer
  /** Starts all that can start now; returns what did. */
  readonly pump: () => readonly Delivery[]
  readonly end: (chainId: string, result: CallResult) => void
  readonly withdraw: (endpointId: string) => void
  readonly acceptedCount: () => number
  readonly withdrawnCount: () => number
  readonly underWay: ReadonlyMap<string, Delivery>
  readonly waiting: ReadonlyMap<string, Delivery>
  readonly started: readonly (Delivery & { readonly atMs: number })[]
}

/** With settings for single endpoints; the others may have 8 at a time, at any rate. */
export const dispatchRun = (
  limits: Partial<DispatchLimits> = {},
  settings: Readonly<Record<string, EndpointSettings>> = {},
): DispatchRun => {
  const engine = createDispatchEngine<Delivery>({
    limits: { ...DEFAULT_DISPATCH_LIMITS, ...limits },
    endpointSettings: (endpointId) => settings[endpointId] ?? { concurrencyMax: 8, perSecondMax: null },
  })
  let nowMs = 1_767_607_200_000
  let count = 0
  let acceptedCount = 0
  let withdrawnCount = 0
  const underWay = new Map<string, Delivery>()
  const waiting = new Map<string, Delivery>()
  const started: (Delivery & { readonly atMs: number })[] = []

  return {
    engine,
    now: () => nowMs,
    advance: (durationMs) => {
      nowMs += durationMs
    },
    offer: (endpointId, lane = 'new', merchantId = endpointId) => {
      count += 1
      const delivery = { chainId: `c${count}`, endpointId, merchantId, lane }
      const offer = engine.offer(delivery)
      if (offer !== 'waits') return offer
      acceptedCount += 1
      waiting.set(delivery.chainId, delivery)
      return offer
    },
    pump: () => {
      const batch: Delivery[] = []
      for (let delivery = engine.next(nowMs); delivery !== undefined; delivery = engine.next(nowMs)) {
        assert(waiting.delete(delivery.chainId), 'started what did not wait')
        underWay.set(delivery.chainId, delivery)
        started.push({ ...delivery, atMs: nowMs })
        batch.push(delivery)
      }
      return batch
    },
    end: (chainId, result) => {
      assert(underWay.delete(chainId), 'ended what was not under way')
      engine.ended(chainId, result, nowMs)
    },
    withdraw: (endpointId) => {
      for (const { chainId } of engine.withdraw(endpointId)) {
        assert(waiting.delete(chainId), 'withdrew what did not wait')
        withdrawnCount += 1
      }
    },
    acceptedCount: () => acceptedCount,
    withdrawnCount: () => withdrawnCount,
    underWay,
    waiting,
    started,
  }
}
