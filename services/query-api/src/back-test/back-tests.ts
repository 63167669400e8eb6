import { setTimeout as pause } from 'node:timers/promises'
import { OperatingError } from '@switchyard/kernel'
import { BACK_TEST_IDLE_MS_MAX, BACK_TEST_LOOK_MS } from '../limits.ts'
import { type BackTestDependencies, type BackTestOrder, type BackTestProgress, runBackTest } from './run-back-test.ts'

/** A look at a back-test: the first one orders it, the last one (`end`) lets go of it. Plain data. */
interface BackTestLook {
  readonly id: string
  readonly order?: BackTestOrder
  readonly end?: true
}

/** Answers how far a back-test is, at the latest after {@link BACK_TEST_LOOK_MS}; rejects with why it failed. */
export type LookAtBackTest = (look: BackTestLook) => Promise<BackTestProgress>

interface Running {
  progress: BackTestProgress
  failure: Error | undefined
  lookedAt: number
  readonly ending: AbortController
  readonly settled: Promise<void>
}

const NOT_BEGUN: BackTestProgress = { eventCount: 0, reachedMs: 0, result: null }

const unknown = (): OperatingError =>
  new OperatingError('POSITION_NOT_REACHED', 'the back-test is not running any more', { retryable: true })

/** Back-tests of this thread; one that nobody looks at any more ends by itself. */
export const createBackTests = (dependencies: BackTestDependencies): LookAtBackTest => {
  const running = new Map<string, Running>()

  const end = (id: string): void => {
    running.get(id)?.ending.abort()
    running.delete(id)
  }

  const endIdle = (): void => {
    for (const [id, { lookedAt }] of running) if (performance.now() - lookedAt > BACK_TEST_IDLE_MS_MAX) end(id)
  }

  const begin = (id: string, order: BackTestOrder): Running => {
    endIdle()
    const ending = new AbortController()
    const tell = (progress: BackTestProgress): void => {
      begun.progress = progress
    }
    const settled = runBackTest(order, dependencies, { signal: ending.signal, tell }).catch((error: unknown) => {
      begun.failure = error instanceof Error ? error : new Error(String(error))
    })
    const begun: Running = { progress: NOT_BEGUN, failure: undefined, lookedAt: performance.now(), ending, settled }
    running.set(id, begun)
    return begun
  }

  return async ({ id, order, end: isOver }) => {
    const found = order === undefined ? running.get(id) : begin(id, order)
    if (isOver === true) {
      end(id)
      return found?.progress ?? NOT_BEGUN
    }
    if (found === undefined) throw unknown()
    found.lookedAt = performance.now()
    await Promise.race([found.settled, pause(BACK_TEST_LOOK_MS, undefined, { ref: false })])
    if (found.failure !== undefined) throw found.failure
    return found.progress
  }
}
