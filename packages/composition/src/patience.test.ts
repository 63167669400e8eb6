import { describe, expect, test } from '@jest/globals'
import { OperatingError } from '@switchyard/kernel'
import { createManualTimers, turn } from '@switchyard/testing'
import { startPatiently } from './patience.ts'

const away = new OperatingError('STORE_UNAVAILABLE', 'away', { retryable: true })

const waitingFor = (start: () => Promise<string>, at?: string) => {
  const timers = createManualTimers()
  const ending = new AbortController()
  const lines: string[] = []
  const report = { info: (text: string) => void lines.push(text), failed: (text: string) => void lines.push(text) }
  const started = startPatiently({ what: 'the store', ...(at === undefined ? {} : { at }), start, report, signal: ending.signal, timers })
  started.catch(() => {})
  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second++) {
      await turn()
      timers.advance(1_000)
    }
    await turn()
  }
  return { started, pass, lines, stop: () => ending.abort() }
}

describe('a start that waits for a server', () => {
  test('goes on when the server is there, and says once that it waits', async () => {
    let isThere = false
    const start = waitingFor(async () => {
      if (!isThere) throw away
      return 'started'
    })
    await start.pass(60)
    isThere = true
    await start.pass(2)
    expect(await start.started).toBe('started')
    expect(start.lines).toEqual(['the store does not answer; the start waits for it', 'the store answers'])
  })

  test('told nothing for as long as its first attempt took, half a minute with brokers that were away', async () => {
    let answer = (): void => {}
    const start = waitingFor(() => new Promise((_, reject) => (answer = () => reject(away))), 'a.internal:9092, b.internal:9092')
    await start.pass(4)
    expect(start.lines).toEqual(['the start waits for the store at a.internal:9092, b.internal:9092'])
    answer()
    await start.pass(1)
    expect(start.lines.slice(1)).toEqual(['the store does not answer; the start waits for it at a.internal:9092, b.internal:9092'])
  })

  test('says again now and then that it waits, and nothing when all is well at once', async () => {
    const start = waitingFor(() => Promise.reject(away))
    await start.pass(250)
    start.stop()
    await start.pass(250)
    expect(start.lines.slice(1)).toEqual(['the start waits for the store', 'the start waits for the store'])
    const quick = waitingFor(async () => 'started')
    await quick.pass(250)
    expect(quick.lines).toEqual([])
  })

  test('gives up after five minutes, or at once when trying again is no use', async () => {
    const tooLong = waitingFor(() => Promise.reject(away))
    await tooLong.pass(302)
    await expect(tooLong.started).rejects.toBe(away)
    const refused = new OperatingError('SETTING_INVALID', 'refused', { retryable: false })
    await expect(waitingFor(() => Promise.reject(refused)).started).rejects.toBe(refused)
  })

  test('ends when the process is told to stop', async () => {
    const start = waitingFor(() => Promise.reject(away))
    await start.pass(3)
    start.stop()
    await expect(start.started).rejects.toBe(away)
  })
})
