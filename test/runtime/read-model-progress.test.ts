import { describe, expect, test } from '@jest/globals'
import { OperatingError, type ReadStore } from '@switchyard/kernel'
import { createMemoryLog } from '@switchyard/log-memory'
import {
  changeGenerations,
  createReadModelProgress,
  GENERATION_AGE_MAX_MS,
  GENERATIONS_COLLECTION,
  systemTimers,
} from '@switchyard/runtime'
import { createManualTimers, turn } from './support/manual-timers.ts'
import { pay, projected, projectorOver, runOnce, straight } from './support/projectors.ts'
import { outcome, recordOf } from './support/sample.ts'
import { createStore } from './support/world.ts'

const READ_MODEL_LOOK_PAUSE_MS = 25
const projections = ['sample-totals-v1', 'sample-payments-v1']

/** Swaps to a generation. */
const readFrom = async (store: ReadStore, current: number, stored: readonly number[] = [1, 2]): Promise<void> => {
  await changeGenerations(store, 'payments', () => ({ current, building: null, stored }))
}

describe('how far others have projected', () => {
  test('is reached when the documents are stored, and not before', async () => {
    const log = createMemoryLog({ partitionCount: 1 })
    const store = createStore()
    const documents = createReadModelProgress({ log, store, topic: 'payments', projections })
    const [position] = await log.append('payments', [recordOf(outcome('m_1', 'p_1', 'r_1'), 'e_1')])
    if (position === undefined) throw new Error('no position')
    expect(await documents.status()).toEqual({ topic: 'payments', state: 'running', lagCount: 1 })
    let isReached = false
    const reached = documents.projectedUpTo(position).then(() => {
      isReached = true
    })
    await new Promise((resolve) => setImmediate(resolve))
    expect(isReached).toBe(false)
    const projector = projectorOver(log, store)
    await projector.start()
    await reached
    expect(await store.get('sample-totals-v1', ['m_1'])).toMatchObject({ position })
    await documents.caughtUp()
    expect(await documents.status()).toMatchObject({ lagCount: 0 })
    await projector.stop()
    documents.stop()
  })

  test('behind a swap of generations: what was reached in the old one is read from it until the new one includes it (law 6)', async () => {
    const log = createMemoryLog({ partitionCount: 2 })
    const store = createStore()
    let nowMs = 0
    const documents = createReadModelProgress({ log, store, topic: 'payments', projections, timers: { ...systemTimers, now: () => nowMs } })
    // The rebuild came as far as this; meanwhile the projector went on in the first generation.
    await pay(log, 0, 10)
    await readFrom(store, 2)
    await runOnce(log, store)
    await readFrom(store, 1)
    await pay(log, 10, 10)
    await runOnce(log, store)
    const whole = await projected(store)
    await documents.caughtUp()
    await readFrom(store, 2)
    nowMs += GENERATION_AGE_MAX_MS
    expect(await projected(documents.readModels)).toEqual(whole)
    await documents.caughtUp()
    expect(await projected(documents.readModels)).toEqual(whole)

    await pay(log, 20, 10)
    await runOnce(log, store)
    await documents.caughtUp()
    expect(await projected(documents.readModels)).toEqual(await straight(log))
    documents.stop()
  })

  test('a generation that was dropped before its successor had come as far is not read as if it were empty', async () => {
    const log = createMemoryLog({ partitionCount: 1 })
    const store = createStore()
    let nowMs = 0
    const documents = createReadModelProgress({ log, store, topic: 'payments', projections, timers: { ...systemTimers, now: () => nowMs } })
    await pay(log, 0, 10)
    await runOnce(log, store)
    await documents.caughtUp()
    await readFrom(store, 2, [2])
    nowMs += GENERATION_AGE_MAX_MS
    await expect(documents.readModels.get('sample-totals-v1', ['m_1'])).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    await runOnce(log, store)
    expect(await projected(documents.readModels)).toEqual(await straight(log))
    documents.stop()
  })

  test('who could not look which generation is current read an old one, and found nothing in it', async () => {
    const log = createMemoryLog({ partitionCount: 1 })
    const store = createStore()
    await pay(log, 0, 10)
    await readFrom(store, 2, [2])
    await runOnce(log, store)
    let isAway = true
    const get: ReadStore['get'] = async (collection, key) => {
      if (collection !== GENERATIONS_COLLECTION || !isAway) return await store.get(collection, key)
      throw new OperatingError('STORE_UNAVAILABLE', 'away', { retryable: true })
    }
    const { readModels, stop } = createReadModelProgress({ log, store: { ...store, get }, topic: 'payments', projections })
    await expect(readModels.get('sample-totals-v1', ['m_1'])).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    isAway = false
    expect(await projected(readModels)).toEqual(await straight(log))
    stop()
  })

  test('whoever began to wait in the moment in which nobody waited any more waited until somebody else did', async () => {
    for (let delay = 0; delay < 12; delay++) {
      const log = createMemoryLog({ partitionCount: 1 })
      const store = createStore()
      const timers = createManualTimers()
      const documents = createReadModelProgress({ log, store, topic: 'payments', projections, timers })
      await pay(log, 0, 1)
      await runOnce(log, store)
      await documents.projectedUpTo({ partition: 0, offset: 0 })
      await turn()
      await pay(log, 1, 1)
      await runOnce(log, store)
      timers.advance(READ_MODEL_LOOK_PAUSE_MS)
      for (let step = 0; step < delay; step++) await Promise.resolve()
      let isReached = false
      const reached = documents.projectedUpTo({ partition: 0, offset: 1 }).then(() => {
        isReached = true
      })
      for (let look = 0; look < 3; look++) {
        await turn()
        timers.advance(READ_MODEL_LOOK_PAUSE_MS)
      }
      expect({ delay, isReached }).toEqual({ delay, isReached: true })
      await reached
      documents.stop()
    }
  })

  test('documents of other projections count for nothing', async () => {
    const log = createMemoryLog({ partitionCount: 1 })
    const store = createStore()
    await log.append('payments', [recordOf(outcome('m_1', 'p_1', 'r_1'), 'e_1')])
    const projector = projectorOver(log, store)
    await projector.start()
    await projector.caughtUp()
    await projector.stop()
    const documents = createReadModelProgress({ log, store, topic: 'payments', projections: ['sample-totals-v2'] })
    expect(await documents.status()).toMatchObject({ lagCount: 1 })
  })

  test('who waits when it stops is told so, and a store that is away shows in the status', async () => {
    const log = createMemoryLog({ partitionCount: 1 })
    const range: ReadStore['range'] = async () => {
      throw new OperatingError('STORE_UNAVAILABLE', 'away', { retryable: true })
    }
    const documents = createReadModelProgress({ log, store: { ...createStore(), range }, topic: 'payments', projections })
    expect(await documents.status()).toMatchObject({ state: 'store-away' })
    const waiting = documents.projectedUpTo({ partition: 0, offset: 0 })
    documents.stop()
    await expect(waiting).rejects.toMatchObject({ code: 'POSITION_NOT_REACHED' })
  })
})
