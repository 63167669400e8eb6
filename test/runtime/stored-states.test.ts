import { describe, expect, test } from '@jest/globals'
import { type EventLog, type ReadStore } from '@switchyard/kernel'
import { createMemoryLog } from '@switchyard/log-memory'
import { createProjectorService } from '@switchyard/projector'
import { changeGenerations, createStreamStates, STREAM_STATES_COLLECTION, type StreamStates } from '@switchyard/runtime'
import { until } from './support/manual-timers.ts'
import { countReads, projectorOver, runOnce, throwing } from './support/projectors.ts'
import { codec, enabled, listSlice, merchantSlice, recordOf, sampleSlices } from './support/sample.ts'
import { createSampleFold } from './support/sample-payments.ts'
import { createFaultyStore, createStore, documentsOf } from './support/world.ts'

describe('stored states of the topic config', () => {
  const change = async (log: EventLog, ...features: string[]): Promise<void> => {
    await log.append(
      'config',
      features.map((feature, i) => recordOf(enabled(`m_${i % 3}`, feature), `c_${feature}`)),
    )
  }
  const load = async (log: EventLog, store: ReadStore) => {
    const counted = countReads(log)
    const states = createStreamStates({ log: counted.log, store, codec, slices: sampleSlices, onFailure: throwing })
    const heard: string[] = []
    states.onChange((key) => void heard.push(key))
    await states.start()
    return { states, heard, readCount: counted.readCount() }
  }
  const listsOf = (states: StreamStates): readonly (readonly string[])[] =>
    ['m_0', 'm_1', 'm_2'].map((key) => states.stateOf(listSlice, key))

  test('a start loads them and reads only what came after', async () => {
    const log = createMemoryLog()
    const store = createStore()
    await change(log, 'a', 'b', 'c', 'd')
    await runOnce(log, store)
    await change(log, 'e')
    const { states, heard, readCount } = await load(log, store)
    expect(readCount).toBe(1)
    expect(listsOf(states)).toEqual([['a', 'd', 'e'], ['b'], ['c']])
    expect(heard.toSorted()).toEqual(['m_0', 'm_0', 'm_1', 'm_2'])
    expect(states.versionOf('m_0', 'feature-flags')).toBe(3)
    await states.stop()
  })

  test('states of a generation that was replaced and dropped while they were loaded were taken for nothing', async () => {
    const log = createMemoryLog()
    const store = createStore()
    await change(log, 'a', 'b', 'c', 'd')
    await runOnce(log, store)
    await changeGenerations(store, 'config', () => ({ current: 2, building: null, stored: [1, 2] }))
    await runOnce(log, store)
    await changeGenerations(store, 'config', () => ({ current: 1, building: null, stored: [1, 2] }))
    let isDropped = false
    const range: ReadStore['range'] = async (query) => {
      // Behind the checkpoints, which say how far the states reach.
      if (query.collection === STREAM_STATES_COLLECTION && !isDropped) {
        isDropped = true
        await changeGenerations(store, 'config', () => ({ current: 2, building: null, stored: [2] }))
        await store.drop(STREAM_STATES_COLLECTION)
      }
      return await store.range(query)
    }
    const { states } = await load(log, { ...store, range })
    expect(listsOf(states)).toEqual([['a', 'd'], ['b'], ['c']])
    await states.stop()
  })

  test('states newer than the checkpoint are not folded twice', async () => {
    const log = createMemoryLog()
    const store = createStore()
    await change(log, 'a', 'b', 'c')
    await runOnce(log, store)
    await change(log, 'd', 'e', 'f')
    const faulty = createFaultyStore(store)
    const projector = projectorOver(log, faulty, { onFailure: () => {} })
    faulty.leaveAfterWrites(2)
    await projector.start()
    await until('the crash', async () => (await projector.status())[0]?.state === 'store-away')
    await projector.stop().catch(() => undefined)
    expect(await documentsOf(store, 'checkpoints')).not.toEqual([])
    const { states } = await load(log, store)
    expect(listsOf(states)).toEqual([
      ['a', 'd'],
      ['b', 'e'],
      ['c', 'f'],
    ])
    await states.stop()
    await runOnce(log, store)
    expect((await load(log, store)).readCount).toBe(0)
  })

  test('a new slice does not start empty: the log is replayed, and the projector stores the states anew', async () => {
    const log = createMemoryLog()
    const store = createStore()
    await change(log, 'a', 'b', 'c')
    const before = createProjectorService({
      log,
      store,
      codec,
      now: () => 1,
      configSlices: [merchantSlice],
      configProjections: [],
      createPaymentFold: () => createSampleFold(),
      paymentProjections: [],
      costProjections: [],
      onFailure: throwing,
    })
    await before.start()
    await before.caughtUp()
    await before.stop()
    const { states, readCount } = await load(log, store)
    expect(readCount).toBe(3)
    expect(listsOf(states)).toEqual([['a'], ['b'], ['c']])
    await states.stop()
    await runOnce(log, store)
    const again = await load(log, store)
    expect(again.readCount).toBe(0)
    expect(listsOf(again.states)).toEqual([['a'], ['b'], ['c']])
    await again.states.stop()
  })

  test('more keys than a page holds are all loaded', async () => {
    const log = createMemoryLog()
    const store = createStore()
    const keys = Array.from({ length: 1_203 }, (_, i) => `m_${i}`)
    await log.append(
      'config',
      keys.map((key) => recordOf(enabled(key, key), `c_${key}`)),
    )
    await runOnce(log, store)
    const { states, readCount } = await load(log, store)
    expect(readCount).toBe(0)
    expect(keys.map((key) => states.stateOf(listSlice, key)[0])).toEqual(keys)
    await states.stop()
  })
})
