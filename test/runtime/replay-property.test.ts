import { describe, expect, test } from '@jest/globals'
import type { EventLog, ReadStore } from '@switchyard/kernel'
import { createMemoryLog } from '@switchyard/log-memory'
import { createProjectorService, type ProjectorService } from '@switchyard/projector'
import { createPaymentFollower, createStreamStates } from '@switchyard/runtime'
import fc from 'fast-check'
import { turn } from './support/manual-timers.ts'
import { codec, enabled, listSlice, merchantSlice, outcome, poisonRecord, recordOf, sampleSlices } from './support/sample.ts'
import { createSampleFold, samplePayments, sampleTotals } from './support/sample-payments.ts'
import { createFaultyStore, createStore, documentsOf, type FaultyStore } from './support/world.ts'

const RUNS = 60

/** One step of a bad day; `slot` names one of two projectors. */
type Step =
  | { readonly do: 'pay'; readonly count: number }
  | { readonly do: 'configure'; readonly count: number }
  | { readonly do: 'start'; readonly slot: number; readonly dieAfterWrites: number }
  | { readonly do: 'stop' | 'kill'; readonly slot: number }
  | { readonly do: 'let-run'; readonly turns: number }

const slot = fc.nat(1)
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('pay' as const), count: fc.integer({ min: 1, max: 30 }) }),
  fc.record({ do: fc.constant('configure' as const), count: fc.integer({ min: 1, max: 10 }) }),
  fc.record({ do: fc.constant('start' as const), slot, dieAfterWrites: fc.oneof(fc.nat(20), fc.constant(1e9)) }),
  fc.record({ do: fc.constantFrom('stop' as const, 'kill' as const), slot }),
  fc.record({ do: fc.constant('let-run' as const), turns: fc.nat(60) }),
)

const projectorOver = (log: EventLog, store: ReadStore): ProjectorService =>
  createProjectorService({
    log,
    store,
    codec,
    now: () => 1,
    configSlices: sampleSlices,
    configProjections: [],
    createPaymentFold: () => createSampleFold(),
    paymentProjections: [sampleTotals, samplePayments],
    costProjections: [],
    onFailure: (error) => {
      throw error
    },
    limits: {
      sliceCountMax: 5,
      dirtyCountMax: 3,
      cachedCountMax: 2,
      cachedBytesMax: 1_000_000,
      flushDelayMs: 1,
      awaitedFlushDelayMs: 1,
      gatherMs: 0,
    },
    snapshotLimits: { eventCountMax: 6, intervalMs: 1e9 },
  })

/** Appends that are the same for every run: the n-th one only depends on n. */
const createWriter = (log: EventLog) => {
  let payments = 0
  let changes = 0
  return {
    pay: async (count: number) => {
      const numbers = Array.from({ length: count }, () => payments++)
      await log.append(
        'payments',
        numbers.map((n) =>
          n % 17 === 3 ? poisonRecord(`m_${n % 4}`, `e_${n}`) : recordOf(outcome(`m_${n % 4}`, `p_${n % 7}`, `r_${n}`), `e_${n}`),
        ),
      )
    },
    configure: async (count: number) => {
      const numbers = Array.from({ length: count }, () => changes++)
      // Every third change was decided on a version that may have moved on.
      await log.append(
        'config',
        numbers.map((n) => recordOf(enabled(`m_${n % 3}`, `f_${n}`), `c_${n}`, n % 3 === 1 ? n % 5 : undefined)),
      )
    },
  }
}

interface Running {
  readonly projector: ProjectorService
  readonly store: FaultyStore
}

const end = async ({ projector, store }: Running, how: 'stop' | 'kill'): Promise<void> => {
  if (how === 'kill') store.leave()
  await projector.stop().catch(({ code }) => expect(code).toBe('STORE_UNAVAILABLE'))
}

const play = async (steps: readonly Step[], log: EventLog, store: ReadStore): Promise<void> => {
  const writer = createWriter(log)
  const running = new Map<number, Running>()
  const act = async (next: Step): Promise<void> => {
    switch (next.do) {
      case 'pay':
        return await writer.pay(next.count)
      case 'configure':
        return await writer.configure(next.count)
      case 'let-run':
        for (let i = 0; i < next.turns; i++) await turn()
        return
      case 'start': {
        if (running.has(next.slot)) return
        const own = createFaultyStore(store)
        const projector = projectorOver(log, own)
        running.set(next.slot, { projector, store: own })
        await projector.start()
        own.leaveAfterWrites(next.dieAfterWrites)
        return
      }
      default: {
        const known = running.get(next.slot)
        running.delete(next.slot)
        if (known !== undefined) await end(known, next.do)
      }
    }
  }
  for (const next of steps) await act(next)
  for (const known of running.values()) await end(known, 'kill')
  await runOnce(log, store)
}

const runOnce = async (log: EventLog, store: ReadStore): Promise<void> => {
  const projector = projectorOver(log, store)
  await projector.start()
  await projector.caughtUp()
  await projector.stop()
}

/** Everything that readers see: documents, and what they load at start. */
const seenIn = async (log: EventLog, store: ReadStore): Promise<unknown> => {
  const onFailure = (error: unknown): void => {
    throw error
  }
  const fold = createSampleFold()
  const follower = createPaymentFollower({ log, store, codec, fold, onFailure })
  const states = createStreamStates({ log, store, codec, slices: sampleSlices, onFailure })
  await follower.start()
  await states.start()
  await Promise.all([follower.stop(), states.stop()])
  const keys = ['m_0', 'm_1', 'm_2']
  const configured = keys.map((key) => [
    states.stateOf(listSlice, key),
    states.stateOf(merchantSlice, key),
    states.versionOf(key, 'feature-flags'),
  ])
  const documents = await Promise.all(
    ['sample-totals-v1', 'sample-payments-v1', 'stream-states-v1', 'dead-letters-v1', 'checkpoints'].map((name) =>
      documentsOf(store, name),
    ),
  )
  return { fold: fold.print(), configured, documents }
}

describe('any interleaving of batches, restarts, crashes and doubled projectors', () => {
  test('gives the documents of one straight replay', async () => {
    const play1 = fc.asyncProperty(
      fc.array(step, { minLength: 3, maxLength: 25 }),
      fc.integer({ min: 1, max: 3 }),
      async (steps, partitionCount) => {
        const log = createMemoryLog({ partitionCount })
        const store = createStore()
        await play(steps, log, store)
        const fresh = createStore()
        await runOnce(log, fresh)
        expect(await seenIn(log, store)).toEqual(await seenIn(log, fresh))
      },
    )
    await fc.assert(play1, { numRuns: RUNS })
  }, 60_000)
})
