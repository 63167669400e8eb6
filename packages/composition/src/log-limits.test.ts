import { describe, expect, test } from '@jest/globals'
import { createManualTimers } from '@switchyard/testing'
import { createLimitedLogger, createTally, FAILURE_LINES_MAX, TALLY_INTERVAL_MS } from './log-limits.ts'

describe('what may storm', () => {
  test('drops are told at once, then added up and told once an interval, and the rest at the end', () => {
    const timers = createManualTimers()
    const told: unknown[] = []
    const tally = createTally((count, cause) => told.push([count, cause]), timers)
    tally.add(1, 'first')
    for (let i = 0; i < 500; i++) tally.add(2, 'later')
    expect(told).toEqual([[1, 'first']])
    timers.advance(TALLY_INTERVAL_MS)
    expect(told.slice(1)).toEqual([[1_000, 'later']])
    tally.add(3)
    tally.flush()
    expect(told.slice(2)).toEqual([[3, undefined]])
  })

  test('after a quiet interval the next drop is told at once again', () => {
    const timers = createManualTimers()
    const told: number[] = []
    const tally = createTally((count) => told.push(count), timers)
    tally.add(1)
    timers.advance(TALLY_INTERVAL_MS)
    tally.add(2)
    expect(told).toEqual([1, 2])
  })

  test('failed requests have a line each, up to a bound; of the others the number is logged', () => {
    const timers = createManualTimers()
    const lines: object[] = []
    const logger = createLimitedLogger({ error: (fields) => lines.push(fields) }, timers)
    const fail = (count: number): void => {
      for (let requestId = 0; requestId < count; requestId++) logger.error({ requestId }, 'request failed')
    }
    fail(FAILURE_LINES_MAX)
    expect(lines).toHaveLength(FAILURE_LINES_MAX)
    fail(100)
    timers.advance(TALLY_INTERVAL_MS)
    expect(lines.slice(FAILURE_LINES_MAX)).toEqual([{ suppressedCount: 1 }, { suppressedCount: 99 }])
    fail(1)
    expect(lines.at(-1)).toEqual({ requestId: 0 })
  })
})
