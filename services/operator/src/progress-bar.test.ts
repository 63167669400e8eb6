import { describe, expect, test } from '@jest/globals'
import { createProgressBar } from './progress-bar.ts'

describe('the progress bar', () => {
  const at = (...pairs: readonly (readonly [number, number])[]) => new Map(pairs)
  const ends = at([0, 999], [1, 999])

  test('says share, rate and the time left at that rate', () => {
    let nowMs = 0
    const line = createProgressBar('payments', new Map(), () => nowMs)
    expect(line(new Map(), ends)).toContain('0.0 %  0 of 2,000 records  0/s  just begun')
    nowMs = 2_000
    expect(line(at([0, 499]), ends)).toBe('payments [#######.......................] 25.0 %  500 of 2,000 records  250/s  6 s left')
    nowMs = 4_000
    expect(line(ends, ends)).toBe('payments [##############################] 100.0 %  2,000 of 2,000 records  500/s  done')
  })

  test('what an interrupted run had done counts as done, not as rate', () => {
    let nowMs = 0
    const line = createProgressBar('payments', at([0, 999]), () => nowMs)
    nowMs = 1_000
    expect(line(at([1, 99]), ends)).toContain('55.0 %  1,100 of 2,000 records  100/s  9 s left')
  })

  test.each([
    [75, '1 min 15 s left'],
    [7_325, '2 h 2 min left'],
  ])('%i s are told in larger units', (seconds, text) => {
    let nowMs = 0
    const line = createProgressBar('p', new Map(), () => nowMs)
    nowMs = 1_000
    expect(line(at([0, 0]), at([0, seconds]))).toContain(text)
  })

  test('an empty topic is done at once', () => {
    expect(createProgressBar('config', new Map(), () => 0)(new Map(), at([0, -1]))).toContain('100.0 %  0 of 0 records')
  })
})
