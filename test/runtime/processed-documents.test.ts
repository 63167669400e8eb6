import { describe, expect, test } from '@jest/globals'
import type { PaymentsEvent } from '@switchyard/events'
import { type DocumentProjection, OperatingError, type ReadStore } from '@switchyard/kernel'
import { createMemoryLog } from '@switchyard/log-memory'
import { createDocumentTopicFold, createProjector, decodePaymentsEvent, PROJECTOR_LIMITS } from '@switchyard/runtime'
import { createManualTimers, turn } from './support/manual-timers.ts'
import { throwing } from './support/projectors.ts'
import { codec, outcome, recordOf } from './support/sample.ts'
import { createStore, documentsOf } from './support/world.ts'

const FLUSH_MS = 400
const AWAITED_MS = 50

/** Outcomes of each merchant. */
const counts: DocumentProjection<{ readonly count: number }, { readonly event: PaymentsEvent }> = {
  name: 'sample-totals-v1',
  keysOf: ({ event }) => (event.type === 'OutcomeRecorded' ? [[event.data.merchantId]] : []),
  initialView: () => ({ count: 0 }),
  project: ({ count }) => ({ count: count + 1 }),
}

const settle = async (): Promise<void> => {
  for (let turns = 0; turns < 20; turns++) await turn()
}

/** A projector that has processed one outcome, and not stored it. */
const processing = async (store: ReadStore = createStore()) => {
  const log = createMemoryLog()
  const timers = createManualTimers()
  const projector = createProjector({
    topic: 'payments',
    log,
    store,
    timers,
    now: () => 1_000,
    onFailure: throwing,
    createFold: () =>
      createDocumentTopicFold({ topic: 'payments', store, decode: (value) => decodePaymentsEvent(codec, value), names: [counts.name] }),
    projections: [counts],
    limits: { ...PROJECTOR_LIMITS, gatherMs: 0, flushDelayMs: FLUSH_MS, awaitedFlushDelayMs: AWAITED_MS },
  })
  await projector.start()
  const [position] = await log.append('payments', [recordOf(outcome('m_1', 'p_1', 'r_1'), 'e_1')])
  if (position === undefined) throw new Error('no position')
  await projector.processedUpTo(position)
  await settle()
  const storedCount = async (): Promise<number> => {
    await settle()
    return (await documentsOf(store, counts.name)).length
  }
  const end = async (): Promise<void> => {
    const ended = projector.stop()
    timers.advance(FLUSH_MS)
    await ended
  }
  return { projector, position, timers, storedCount, end }
}

describe('what was processed', () => {
  test('is stored when its time comes, whoever waits patiently', async () => {
    const { projector, position, timers, storedCount, end } = await processing()
    const waiting = projector.projectedUpTo(position)
    timers.advance(FLUSH_MS - 1)
    expect(await storedCount()).toBe(0)
    timers.advance(1)
    await waiting
    expect(await storedCount()).toBe(1)
    await end()
  })

  test('is stored sooner for whoever can not wait', async () => {
    const { projector, position, timers, storedCount, end } = await processing()
    const waiting = projector.storedUpTo(position)
    await settle()
    timers.advance(AWAITED_MS - 1)
    expect(await storedCount()).toBe(0)
    timers.advance(1)
    await waiting
    expect(await storedCount()).toBe(1)
    await projector.storedUpTo(position)
    await end()
  })
})

describe('a document in memory', () => {
  test('is shown while others are being stored', async () => {
    const store = createStore()
    let letGo = (): void => {}
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const write: ReadStore['write'] = async (writes) => {
      await held
      return await store.write(writes)
    }
    const { projector, timers, end } = await processing({ ...store, write })
    timers.advance(FLUSH_MS)
    await settle()
    expect(await projector.view(counts, ['m_1'])).toEqual({ count: 1 })
    letGo()
    await end()
  })

  test('is not shown while the store is away: what was decided on it could not be seen', async () => {
    const store = createStore()
    let isAway = true
    const write: ReadStore['write'] = async (writes) => {
      if (isAway) throw new OperatingError('STORE_UNAVAILABLE', 'the store is away', { retryable: true })
      return await store.write(writes)
    }
    const { projector, timers, end } = await processing({ ...store, write })
    timers.advance(FLUSH_MS)
    await settle()
    let shown: unknown
    const viewing = projector.view(counts, ['m_1']).then((view) => {
      shown = view
    })
    await settle()
    expect(shown).toBeUndefined()
    isAway = false
    timers.advance(FLUSH_MS)
    await viewing
    expect(shown).toEqual({ count: 1 })
    await end()
  })
})
