import { describe, expect, test } from '@jest/globals'
import { createManualTimers, turn } from '@switchyard/testing'
import { READINESS_ANSWER_MAX_MS, READY_PAUSE_MS, UNREADY_PAUSE_MS, watchReadiness } from './readiness-watch.ts'

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
      signal: new AbortController().signal,
      timers,
    })
    await turn()
    timers.advance(READY_PAUSE_MS)
    await turn()
    timers.advance(READINESS_ANSWER_MAX_MS - 1)
    await turn()
    expect(isReady()).toBe(true)
    timers.advance(1)
    await turn()
    expect(isReady()).toBe(false)
    timers.advance(UNREADY_PAUSE_MS)
    await turn()
    expect([isReady(), answers]).toEqual([true, []])
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
