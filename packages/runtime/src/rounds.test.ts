import { describe, expect, test } from '@jest/globals'
import { createManualTimers, turn } from '@switchyard/testing'
import { createRounds } from './rounds.ts'

const PAUSE_MS = 1_000

const roundsOver = (items: Iterable<string>, lookAt: (item: string) => Promise<void>) => {
  const timers = createManualTimers()
  const failures: string[] = []
  const onFailure = (item: string, error: unknown): void => void failures.push(`${item}: ${String(error)}`)
  return { timers, failures, rounds: createRounds({ name: 'looker', items: () => items, lookAt, onFailure, pauseMs: PAUSE_MS, timers }) }
}

describe('rounds', () => {
  test('look at what is there by then, again and again, until the stop', async () => {
    const items = new Set(['a'])
    const seen: string[] = []
    const { rounds, timers } = roundsOver(items, async (item) => void seen.push(item))
    await rounds.start()
    await turn()
    expect(seen).toEqual(['a'])
    items.add('b')
    timers.advance(PAUSE_MS)
    await turn()
    expect(seen).toEqual(['a', 'a', 'b'])
    await rounds.stop()
    timers.advance(PAUSE_MS)
    await turn()
    expect(seen).toEqual(['a', 'a', 'b'])
  })

  test('one that fails is told, and the others have their turn', async () => {
    const seen: string[] = []
    const { rounds, failures } = roundsOver(['a', 'b'], async (item) => {
      if (item === 'a') throw new Error('gone')
      seen.push(item)
    })
    await rounds.round()
    expect([seen, failures]).toEqual([['b'], ['a: Error: gone']])
  })

  test('a stop waits for the one that is looked at, and begins with no other', async () => {
    const seen: string[] = []
    let answer = (): void => {}
    const { rounds } = roundsOver(['a', 'b'], async (item) => {
      seen.push(item)
      await new Promise<void>((resolve) => (answer = resolve))
    })
    await rounds.start()
    const stopped = rounds.stop().then(() => seen.push('stopped'))
    await turn()
    expect(seen).toEqual(['a'])
    answer()
    await stopped
    expect(seen).toEqual(['a', 'stopped'])
  })
})
