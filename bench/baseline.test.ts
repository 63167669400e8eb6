import { describe, expect, test } from '@jest/globals'
import { baselineOf, kindOf, mainBaseline, type StoredBaseline, type StoredResult, withResult } from './baseline.mjs'

const fast = { cpu: 'a fast core', coreCount: 2, memoryGb: 8, node: 'v20' }
const slow = { ...fast, cpu: 'a slow core' }

const result = (at: string, machine: typeof fast, figures: Readonly<Record<string, number>>): StoredResult => ({
  at,
  machine,
  settings: {},
  metrics: Object.entries(figures).map(([benchmark, median]) => ({
    benchmark,
    name: 'throughput against bare',
    unit: '',
    better: 'higher',
    isRatio: true,
    target: null,
    median,
    min: median,
    max: median,
  })),
})
const medians = ({ metrics }: StoredBaseline) => Object.fromEntries(metrics.map(({ benchmark, median }) => [benchmark, median]))
const times = ({ taken }: StoredBaseline) => Object.fromEntries(Object.entries(taken).map(([benchmark, { at }]) => [benchmark, at]))

describe('baselines by kind of machine', () => {
  test('a run of some benchmarks becomes the baseline of these, and leaves the others', () => {
    const first = withResult({}, result('monday', fast, { replay: 0.9, 'decide-20': 0.6 }))
    const second = baselineOf(withResult(first, result('tuesday', fast, { 'decide-20': 0.7 })), kindOf(fast))
    expect(medians(second)).toEqual({ replay: 0.9, 'decide-20': 0.7 })
    expect(times(second)).toEqual({ replay: 'monday', 'decide-20': 'tuesday' })
  })

  const both = withResult(
    withResult({}, result('monday', fast, { replay: 0.9, 'decide-20': 0.7 })),
    result('tuesday', slow, { 'decide-20': 0.9, rules: 2 }),
  )

  test('a result is held against what its own kind of machine did, and where that was never measured against another', () => {
    expect(medians(baselineOf(both, kindOf(slow)))).toEqual({ 'decide-20': 0.9, rules: 2, replay: 0.9 })
    expect(medians(baselineOf(both, kindOf(fast)))).toEqual({ 'decide-20': 0.7, replay: 0.9, rules: 2 })
    expect(times(baselineOf(both, 'a machine that nobody knows, 2 cores'))).toEqual(times(baselineOf(both, kindOf(fast))))
  })

  test('machines of one processor with more cores are another kind', () => {
    expect(kindOf({ ...fast, coreCount: 4 })).not.toBe(kindOf(fast))
  })

  test('the page has each benchmark once, of the first kind that has it', () => {
    expect(medians(mainBaseline(both))).toEqual({ 'decide-20': 0.7, replay: 0.9, rules: 2 })
  })
})
