import { describe, expect, test } from '@jest/globals'
import { createMemoryLog } from '@switchyard/log-memory'
import { createProjectorService } from '@switchyard/projector'
import { createManualTimers, until } from './support/manual-timers.ts'
import { pay, projected, projectorOver, straight } from './support/projectors.ts'
import { codec, enabled, outcome, poisonRecord, recordOf, sampleSlices } from './support/sample.ts'
import { createSampleFold, samplePayments, sampleTotals } from './support/sample-payments.ts'
import { createFaultyStore, createStore, documentsOf } from './support/world.ts'

describe('projector', () => {
  test('documents stand when their position is reached, and carry it', async () => {
    const log = createMemoryLog()
    const store = createStore()
    const projector = projectorOver(log, store)
    await projector.start()
    const [position] = await log.append('payments', [recordOf(outcome('m_1', 'p_1', 'r_1'), 'e_1')])
    if (position === undefined) throw new Error('no position')
    await projector.projectedUpTo('payments', position)
    expect(await documentsOf(store, 'sample-totals-v1')).toEqual([
      { key: ['m_1'], position, body: { count: 1, numbers: [1], eventIds: ['e_1'] } },
    ])
    expect(await projector.isCaughtUp()).toBe(true)
    await projector.stop()
  })

  test('status: positions, lag, time of the last flush', async () => {
    const log = createMemoryLog({ partitionCount: 1 })
    await pay(log, 0, 4)
    const projector = projectorOver(log, createStore())
    const before = (await projector.status())[1]
    expect(before).toEqual({ topic: 'payments', state: 'idle', positions: new Map(), lagCount: 4, lastFlushedAt: null, deadLetterCount: 0 })
    await projector.start()
    await projector.caughtUp()
    const after = (await projector.status())[1]
    expect(after).toMatchObject({ state: 'running', positions: new Map([[0, 3]]), lagCount: 0, lastFlushedAt: 1_000 })
    await projector.stop()
  })

  test('a restart goes on where the snapshot stands, and counts nothing twice', async () => {
    const log = createMemoryLog()
    const store = createStore()
    for (let run = 0; run < 3; run++) {
      await pay(log, run * 25, 25)
      const projector = projectorOver(log, store)
      await projector.start()
      await projector.caughtUp()
      await projector.stop()
    }
    expect(await projected(store)).toEqual(await straight(log))
  })

  test('two projectors at once count once', async () => {
    const log = createMemoryLog()
    const store = createStore()
    const pair = [projectorOver(log, store), projectorOver(log, store)]
    await Promise.all(pair.map((projector) => projector.start()))
    for (let round = 0; round < 10; round++) await pay(log, round * 13, 13)
    await Promise.all(pair.map((projector) => projector.caughtUp()))
    await Promise.all(pair.map((projector) => projector.stop()))
    expect(await projected(store)).toEqual(await straight(log))
  })

  test('what came together is taken a slice at a time, with a rest behind each', async () => {
    const log = createMemoryLog({ partitionCount: 1 })
    const store = createStore()
    await pay(log, 0, 30)
    let restCount = 0
    const projector = projectorOver(log, store, { restMs: () => ((restCount += 1), 1) })
    await projector.start()
    await projector.caughtUp()
    await projector.stop()
    expect(restCount).toBe(5)
    expect(await projected(store)).toEqual(await straight(log))
  })

  test('a record that nobody can read becomes a dead letter, and those after it count', async () => {
    const log = createMemoryLog({ partitionCount: 1 })
    const store = createStore()
    const foreign = { ...recordOf(enabled('m_1', 'f'), 'e_2'), key: 'm_1' }
    await log.append('payments', [poisonRecord('m_1', 'e_1'), foreign, recordOf(outcome('m_1', 'p_1', 'r_3'), 'e_3')])
    const projector = projectorOver(log, store)
    await projector.start()
    await projector.caughtUp()
    expect((await projector.status())[1]?.deadLetterCount).toBe(2)
    await projector.stop()
    const [first, second] = await documentsOf(store, 'dead-letters-v1')
    expect(first?.key).toEqual(['payments', 0, 0])
    expect(first?.body).toMatchObject({
      topic: 'payments',
      partition: 0,
      offset: 0,
      streamKey: 'm_1',
      eventId: 'e_1',
      type: 'switchyard.payments.OutcomeRecorded',
      reason: 'RECORD_UNREADABLE',
      bytes: new Uint8Array([9, 9, 9]),
    })
    expect(second?.body).toMatchObject({ eventId: 'e_2', reason: 'RECORD_UNREADABLE' })
    expect(await documentsOf(store, 'sample-totals-v1')).toMatchObject([{ key: ['m_1'], body: { count: 1 } }])
  })

  test('the store is away: the projector waits for it, says so, and skips nothing', async () => {
    const log = createMemoryLog()
    const store = createStore()
    const faulty = createFaultyStore(store)
    const timers = createManualTimers()
    const projector = projectorOver(log, faulty, { timers })
    await projector.start()
    faulty.leave()
    await pay(log, 0, 30)
    await until('the status', async () => {
      timers.advance(1)
      return (await projector.status())[1]?.state === 'store-away'
    })
    const attempts = faulty.attempts()
    await until('more attempts', () => {
      timers.advance(1_000)
      return faulty.attempts() > attempts + 3
    })
    faulty.comeBack()
    await until('caught up', async () => {
      timers.advance(1_000)
      return await projector.isCaughtUp()
    })
    expect((await projector.status())[1]?.state).toBe('running')
    await projector.stop()
    expect(await projected(store)).toEqual(await straight(log))
  })

  test('stopping while the store is away ends, and the next start makes up for it', async () => {
    const log = createMemoryLog()
    const store = createStore()
    const faulty = createFaultyStore(store)
    const projector = projectorOver(log, faulty)
    await projector.start()
    faulty.leave()
    await pay(log, 0, 30)
    await until('the status', async () => (await projector.status())[1]?.state === 'store-away')
    await projector.stop().catch(({ code }) => expect(code).toBe('STORE_UNAVAILABLE'))
    const next = projectorOver(log, store)
    await next.start()
    await next.caughtUp()
    await next.stop()
    expect(await projected(store)).toEqual(await straight(log))
  })

  test('a bug in a projection stops the projector before anything is stored behind it', async () => {
    const log = createMemoryLog({ partitionCount: 1 })
    const store = createStore()
    const failures: unknown[] = []
    const broken = {
      ...sampleTotals,
      project: () => {
        throw new Error('a bug')
      },
    }
    const projector = createProjectorService({
      log,
      store,
      codec,
      now: () => 1,
      configSlices: sampleSlices,
      configProjections: [],
      createPaymentFold: () => createSampleFold(),
      paymentProjections: [samplePayments, broken],
      costProjections: [],
      onFailure: (error) => void failures.push(error),
    })
    await projector.start()
    await pay(log, 0, 3)
    await expect(projector.caughtUp()).rejects.toMatchObject({ code: 'POSITION_NOT_REACHED' })
    expect((await projector.status())[1]?.state).toBe('failed')
    await projector.stop()
    expect(failures).toEqual([expect.objectContaining({ message: 'a bug' })])
    expect(await documentsOf(store, 'sr-windows-v1')).toEqual([])
    expect(await documentsOf(store, 'sample-payments-v1')).toEqual([])
  })
})
