import { describe, expect, test } from '@jest/globals'
import type { ProjectorStatus } from '@switchyard/runtime'
import { createReadiness, READINESS_LIMITS, type Readiness } from './readiness.ts'

const running: ProjectorStatus = {
  topic: 'payments',
  state: 'running',
  positions: new Map(),
  lagCount: 0,
  lastFlushedAt: null,
  deadLetterCount: 0,
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Time that a test moves; what waits runs at the next turn after it was moved. */
const createStage = (caughtUp: () => Promise<void> = async () => {}) => {
  let nowMs = 0
  let status = running
  let waiting: (() => void)[] = []
  const ending = new AbortController()
  const timers = {
    now: () => nowMs,
    after: (_delayMs: number, run: () => void) => {
      waiting.push(run)
      return () => {}
    },
  }
  const readiness: Readiness = createReadiness({
    projector: { status: async () => [status], caughtUp },
    signal: ending.signal,
    timers,
  })
  return {
    readiness,
    end: () => ending.abort(),
    becomes: (change: Partial<ProjectorStatus>) => {
      status = { ...running, ...change }
    },
    pass: async (ms: number) => {
      nowMs += ms
      const due = waiting
      waiting = []
      for (const run of due) run()
      await turn()
    },
  }
}

describe('readiness', () => {
  test('not before the documents have caught up once; attempts that fail are repeated behind a pause, and end with the process', async () => {
    let attempts = 0
    const { readiness, pass, end } = createStage(async () => {
      attempts += 1
      throw new Error('too slow')
    })
    readiness.start(() => {
      throw new Error('it has not caught up')
    })
    await turn()
    await turn()
    expect([attempts, await readiness.isReady()]).toEqual([1, false])
    await pass(READINESS_LIMITS.catchUpPauseMs)
    expect(attempts).toBe(2)
    end()
    await pass(READINESS_LIMITS.catchUpPauseMs)
    expect(attempts).toBe(2)
  })

  test.each<ProjectorStatus['state']>(['failed', 'stopped'])('a projector that has %s is not ready, at once', async (state) => {
    const { readiness, becomes } = createStage()
    let heard = 0
    readiness.start(() => {
      heard += 1
    })
    await turn()
    expect([heard, await readiness.isReady()]).toEqual([1, true])
    becomes({ state })
    expect(await readiness.isReady()).toBe(false)
  })

  test.each<[string, Partial<ProjectorStatus>, number]>([
    ['a store that is away', { state: 'store-away' }, READINESS_LIMITS.storeAwayMaxMs],
    ['documents far behind', { lagCount: READINESS_LIMITS.lagCountMax + 1 }, READINESS_LIMITS.lagMaxMs],
    ['a log that does not name its end', { lagCount: null }, READINESS_LIMITS.lagMaxMs],
  ])('%s: not ready beyond the bound, ready again when it is over, and counted anew', async (_name, trouble, boundMs) => {
    const { readiness, becomes, pass } = createStage()
    readiness.start()
    await turn()
    becomes(trouble)
    expect(await readiness.isReady()).toBe(true)
    await pass(boundMs - 1)
    expect(await readiness.isReady()).toBe(true)
    await pass(1)
    expect(await readiness.isReady()).toBe(false)
    becomes({})
    expect(await readiness.isReady()).toBe(true)
    becomes(trouble)
    expect(await readiness.isReady()).toBe(true)
  })

  test('a lag within the bound is no trouble, however long it lasts', async () => {
    const { readiness, becomes, pass } = createStage()
    readiness.start()
    await turn()
    becomes({ lagCount: READINESS_LIMITS.lagCountMax })
    expect(await readiness.isReady()).toBe(true)
    await pass(READINESS_LIMITS.lagMaxMs * 10)
    expect(await readiness.isReady()).toBe(true)
  })
})
