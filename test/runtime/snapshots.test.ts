import { describe, expect, test } from '@jest/globals'
import { type EventLog, OperatingError, type ReadStore } from '@switchyard/kernel'
import { createMemoryLog } from '@switchyard/log-memory'
import { createProjectorService } from '@switchyard/projector'
import { createPaymentFollower, PROJECTOR_LIMITS } from '@switchyard/runtime'
import { createManualTimers, until } from './support/manual-timers.ts'
import { countReads, pay, projected, projectorOver, runOnce, straight, throwing } from './support/projectors.ts'
import { codec, outcome, poisonRecord, recordOf, sampleSlices } from './support/sample.ts'
import { createSampleFold, samplePayments, sampleTotals } from './support/sample-payments.ts'
import { createFaultyStore, createStore, documentsOf } from './support/world.ts'

describe('snapshots of the payment fold', () => {
  const BALLAST = 400_000

  const follow = async (log: EventLog, store: ReadStore) => {
    const fold = createSampleFold(BALLAST)
    const counted = countReads(log)
    const follower = createPaymentFollower({ log: counted.log, store, codec, fold, onFailure: throwing })
    await follower.start()
    return { follower, fold, readCount: counted.readCount() }
  }
  const snapshot = (log: EventLog, store: ReadStore): Promise<void> => runOnce(log, store, { ballast: BALLAST })
  const replay = async (log: EventLog): Promise<string> => {
    const { follower, fold } = await follow(log, createStore())
    await follower.stop()
    return fold.print()
  }

  test('a follower restores them, reads only what came after, then tails', async () => {
    const log = createMemoryLog()
    const store = createStore()
    await pay(log, 0, 40, 8)
    await snapshot(log, store)
    await pay(log, 40, 3, 8)
    const { follower, fold, readCount } = await follow(log, store)
    expect(readCount).toBe(3)
    expect(fold.print()).toBe(await replay(log))
    const [position] = await log.append('payments', [poisonRecord('m_1', 'x'), recordOf(outcome('m_1', 'p_1', 'r_x'), 'e_x')])
    if (position === undefined) throw new Error('no position')
    await follower.waitFor({ ...position, offset: position.offset + 1 })
    expect(await follower.isCaughtUp()).toBe(true)
    expect(fold.print()).toBe(await replay(log))
    await follower.stop()
  })

  test('what came last before a silence is in a snapshot when its time has come: the log may forget it', async () => {
    const log = createMemoryLog({ partitionCount: 1 })
    const store = createStore()
    const timers = createManualTimers()
    const projector = projectorOver(log, store, { timers, snapshotEvents: 100, snapshotMs: 10_000 })
    await projector.start()
    await pay(log, 0, 12)
    await until('the documents', async () => {
      timers.advance(1)
      return await projector.isCaughtUp()
    })
    const snapshotOffset = async (): Promise<number | undefined> =>
      (await documentsOf(store, 'sr-windows-v1', ['head']))[0]?.position.offset
    expect(await snapshotOffset()).toBeUndefined()
    await until('the snapshot', async () => {
      timers.advance(1_000)
      return (await snapshotOffset()) === 11
    })
    await log.truncate('payments', new Map([[0, 11]]))
    const { follower, readCount } = await follow(log, store)
    expect(readCount).toBe(0)
    await follower.stop()
    await projector.stop()
  })

  test('pieces are at most 1 MiB long, and two generations alternate', async () => {
    const log = createMemoryLog({ partitionCount: 1 })
    const store = createStore()
    for (let run = 0; run < 3; run++) {
      await pay(log, run * 12, 12, 6)
      await snapshot(log, store)
    }
    const [head] = await documentsOf(store, 'sr-windows-v1', ['head'])
    expect(head?.body).toMatchObject({ current: { slot: 0, chunkCount: 3, offset: 35 }, previous: { slot: 1, chunkCount: 3, offset: 23 } })
    const chunks = await documentsOf(store, 'sr-windows-v1', ['chunk'])
    expect(chunks.map(({ key, position }) => [...key, position.offset])).toEqual([
      ['chunk', 0, 0, 0, 35],
      ['chunk', 0, 0, 1, 35],
      ['chunk', 0, 0, 2, 35],
      ['chunk', 0, 1, 0, 23],
      ['chunk', 0, 1, 1, 23],
      ['chunk', 0, 1, 2, 23],
    ])
    const lengths = (
      await store.getMany<{ bytes: Uint8Array }>(
        'sr-windows-v1',
        chunks.map(({ key }) => key),
      )
    ).map((chunk) => chunk?.body.bytes.length)
    expect(Math.max(...lengths.map((length) => length ?? 0))).toBe(1024 * 1024)
  })

  test.each([0, 1, 2, 3])('a crash after %i documents of a snapshot leaves the one before', async (writes) => {
    const log = createMemoryLog({ partitionCount: 1 })
    const store = createStore()
    await pay(log, 0, 12, 6)
    await snapshot(log, store)
    await pay(log, 12, 12, 6)
    const crashing: ReadStore = {
      ...store,
      write: async (batch) => {
        const isSnapshot = batch.some(({ collection }) => collection === 'sr-windows-v1')
        return await (isSnapshot ? faulty : store).write(batch)
      },
    }
    const faulty = createFaultyStore(store)
    faulty.leaveAfterWrites(writes)
    const projector = projectorOver(log, crashing, { ballast: BALLAST })
    await projector.start()
    await until('the crash', async () => (await projector.status())[1]?.state === 'store-away')
    await projector.stop().catch(() => undefined)
    const { follower, fold, readCount } = await follow(log, store)
    expect(readCount).toBe(12)
    expect(fold.print()).toBe(await replay(log))
    await follower.stop()
    await pay(log, 24, 1, 6)
    await snapshot(log, store)
    expect((await follow(log, store)).readCount).toBe(0)
  })

  test.each([1, 2, 3])('a snapshot that was cut off behind %i pieces is completed, although no event came since', async (writes) => {
    const log = createMemoryLog({ partitionCount: 1 })
    const store = createStore()
    await pay(log, 0, 12, 6)
    const faulty = createFaultyStore(store)
    const crashing: ReadStore = {
      ...store,
      write: async (batch) => await (batch.some(({ collection }) => collection === 'sr-windows-v1') ? faulty : store).write(batch),
    }
    faulty.leaveAfterWrites(writes)
    const projector = projectorOver(log, crashing, { ballast: BALLAST })
    await projector.start()
    await until('the crash', async () => (await projector.status())[1]?.state === 'store-away')
    await projector.stop().catch(() => undefined)
    expect(await documentsOf(store, 'sr-windows-v1', ['head'])).toEqual([])
    await snapshot(log, store)
    const { follower, fold, readCount } = await follow(log, store)
    expect(readCount).toBe(0)
    expect(fold.print()).toBe(await replay(log))
    await follower.stop()
  })

  test('pieces of the current snapshot were written over by a slower projector: the previous one is taken', async () => {
    const log = createMemoryLog({ partitionCount: 1 })
    const store = createStore()
    await pay(log, 0, 12, 6)
    await snapshot(log, store)
    await pay(log, 12, 12, 6)
    await snapshot(log, store)
    const position = { partition: 0, offset: 24 }
    await store.write([{ collection: 'sr-windows-v1', key: ['chunk', 0, 1, 0], position, body: { bytes: new Uint8Array(3) } }])
    await pay(log, 24, 1, 6)
    const { follower, fold, readCount } = await follow(log, store)
    expect(readCount).toBe(13)
    expect(fold.print()).toBe(await replay(log))
    await follower.stop()
  })

  test('a projector that finds newer pieces in its slot leaves the head to whoever wrote them', async () => {
    const log = createMemoryLog({ partitionCount: 1 })
    const store = createStore()
    const position = { partition: 0, offset: 13 }
    await store.write([{ collection: 'sr-windows-v1', key: ['chunk', 0, 0, 0], position, body: { bytes: new Uint8Array(3) } }])
    await pay(log, 0, 12, 6)
    await snapshot(log, store)
    expect(await documentsOf(store, 'sr-windows-v1', ['head'])).toEqual([])
    await pay(log, 12, 3, 6)
    await snapshot(log, store)
    expect((await follow(log, store)).readCount).toBe(0)
  })

  test('a snapshot that another release wrote is not taken: the log is replayed, and the documents stay right', async () => {
    const log = createMemoryLog({ partitionCount: 1 })
    const store = createStore()
    await pay(log, 0, 12, 6)
    await snapshot(log, store)
    await pay(log, 12, 6, 6)
    const fold = createSampleFold()
    const importMerchant = (): void => {
      throw new OperatingError('RECORD_UNREADABLE', 'another version', { retryable: false })
    }
    const projector = createProjectorService({
      log,
      store,
      codec,
      now: () => 1,
      configSlices: sampleSlices,
      configProjections: [],
      createPaymentFold: () => ({ ...fold, importMerchant }),
      paymentProjections: [sampleTotals, samplePayments],
      costProjections: [],
      onFailure: throwing,
    })
    await projector.start()
    await projector.caughtUp()
    await projector.stop()
    expect(await projected(store)).toEqual(await straight(log))
    expect((await follow(log, store)).readCount).toBe(0)
  })

  test('nothing is folded while a snapshot is taken merchant by merchant', async () => {
    const log = createMemoryLog({ partitionCount: 1 })
    const fold = createSampleFold()
    const heard: string[] = []
    let later: Promise<void> | undefined
    const projector = createProjectorService({
      log,
      store: createStore(),
      codec,
      now: () => 1,
      configSlices: sampleSlices,
      configProjections: [],
      createPaymentFold: () => ({
        ...fold,
        apply: (event) => {
          heard.push('apply')
          return fold.apply(event)
        },
        exportMerchant: (merchantId) => {
          heard.push('export')
          later ??= pay(log, 3, 3)
          return fold.exportMerchant(merchantId)
        },
      }),
      paymentProjections: [sampleTotals, samplePayments],
      costProjections: [],
      onFailure: throwing,
      limits: { ...PROJECTOR_LIMITS, flushDelayMs: 1 },
      snapshotLimits: { eventCountMax: 3, intervalMs: 1e9 },
    })
    await projector.start()
    await pay(log, 0, 3)
    await until('the next events', () => heard.filter((word) => word === 'apply').length === 6)
    expect(heard.slice(0, 9)).toEqual(['apply', 'apply', 'apply', 'export', 'export', 'export', 'apply', 'apply', 'apply'])
    await later
    await projector.stop()
  })

  test('no snapshot is whole: the log is replayed', async () => {
    const log = createMemoryLog({ partitionCount: 1 })
    const store = createStore()
    await pay(log, 0, 12, 6)
    await snapshot(log, store)
    const position = { partition: 0, offset: 12 }
    await store.write([{ collection: 'sr-windows-v1', key: ['chunk', 0, 0, 1], position, body: null }])
    const { follower, fold, readCount } = await follow(log, store)
    expect(readCount).toBe(12)
    expect(fold.print()).toBe(await replay(log))
    await follower.stop()
  })
})
