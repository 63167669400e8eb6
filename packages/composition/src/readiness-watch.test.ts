import { describe, expect, test } from '@jest/globals'
import { pause } from '@switchyard/runtime'
import { createManualTimers, turn } from '@switchyard/testing'
import { createReadiness, READINESS_LIMITS, type ReadModelStatus } from './readiness.ts'
import { READY_PAUSE_MS, UNREADY_PAUSE_MS, watchReadiness } from './readiness-watch.ts'

describe('watching the readiness of the background thread', () => {
  test('a question that is refused at once does not freeze the thread: the next one waits for a timer, and none follows the end', async () => {
    const timers = createManualTimers()
    const ending = new AbortController()
    let asked = 0
    const refuse = async (): Promise<boolean> => {
      asked += 1
      throw new Error('the thread is gone')
    }
    const isReady = watchReadiness({ ask: refuse, signal: ending.signal, timers })
    await turn()
    await turn()
    expect([asked, isReady()]).toEqual([1, false])
    timers.advance(UNREADY_PAUSE_MS)
    await turn()
    expect(asked).toBe(2)
    ending.abort()
    timers.advance(READY_PAUSE_MS)
    await turn()
    expect(asked).toBe(2)
  })

  test('who was ready and does not answer any more is not ready, and is asked again', async () => {
    const timers = createManualTimers()
    const answers = [Promise.resolve(true), new Promise<boolean>(() => {}), Promise.resolve(true)]
    const isReady = watchReadiness({
      ask: () => answers.shift() ?? Promise.resolve(true),
      answerMaxMs: 10_000,
      signal: new AbortController().signal,
      timers,
    })
    await turn()
    timers.advance(READY_PAUSE_MS)
    await turn()
    timers.advance(9_999)
    await turn()
    expect(isReady()).toBe(true)
    timers.advance(1)
    await turn()
    expect(isReady()).toBe(false)
    timers.advance(UNREADY_PAUSE_MS)
    await turn()
    expect([isReady(), answers]).toEqual([true, []])
  })

  test('a log that is away for longer than ten seconds made all reads not ready, though it may be silent for a minute', async () => {
    const timers = createManualTimers()
    const { signal } = new AbortController()
    let asked = 0
    const status = async (): Promise<readonly ReadModelStatus[]> => {
      asked += 1
      const isAway = asked > 1
      // The brokers are tried for ten seconds and a bit.
      if (isAway) await pause(timers, 10_500, signal)
      return [{ topic: 'payments', state: 'running', lagCount: isAway ? null : 0 }]
    }
    const { start, isReady: ask } = createReadiness({ projector: { status, caughtUp: async () => {} }, signal, timers })
    start()
    await turn()
    const isReady = watchReadiness({ ask, signal, timers })
    const pass = async (secondCount: number): Promise<void> => {
      for (let i = 0; i < 2 * secondCount; i++) {
        await turn()
        timers.advance(500)
      }
      await turn()
    }
    await pass(READINESS_LIMITS.lagMaxMs / 1_000)
    expect(isReady()).toBe(true)
    await pass(2 * 11.5)
    expect(isReady()).toBe(false)
  })

  test('it follows the answers in both directions, and ends with the thread', async () => {
    const timers = createManualTimers()
    const ending = new AbortController()
    let answer = true
    const isReady = watchReadiness({ ask: async () => answer, signal: ending.signal, timers })
    await turn()
    expect(isReady()).toBe(true)
    answer = false
    timers.advance(READY_PAUSE_MS)
    await turn()
    expect(isReady()).toBe(false)
    answer = true
    timers.advance(UNREADY_PAUSE_MS)
    await turn()
    expect(isReady()).toBe(true)
    ending.abort()
    expect(isReady()).toBe(false)
  })
})
