import { describe, expect, test } from '@jest/globals'
import { httpMetrics, replayMetrics, ruleMetrics } from './metrics.mjs'
import { type BenchResult, compareResults, judgeTargets, type Metric, reachesTarget } from './verdict.mjs'

const throughput = (median: number): Metric => ({
  benchmark: 'decide-20',
  name: 'throughput against bare',
  unit: '',
  better: 'higher',
  isRatio: true,
  target: 0.5,
  median,
  min: median * 0.9,
  max: median * 1.1,
})
const tail = (median: number): Metric => ({ ...throughput(median), name: 'p99 against bare', better: 'lower', target: 3 })
const resultOf = (...metrics: readonly Metric[]): BenchResult => ({ metrics })
const statusesOf = (now: BenchResult, then: BenchResult): readonly string[] => compareResults(now, then).rows.map(({ status }) => status)

describe('a result against the baseline', () => {
  test.each([
    [0.86, 'same', false],
    [0.84, 'worse', true],
    [1.14, 'same', false],
    [1.16, 'better', false],
  ])('throughput at %d of the baseline is %s', (share, status, isWorse) => {
    const compared = compareResults(resultOf(throughput(0.6 * share)), resultOf(throughput(0.6)))
    expect(compared.rows[0]?.status).toBe(status)
    expect(compared.isWorse).toBe(isWorse)
  })

  test('a tail is worse when it is beyond the worst repetition of the baseline, not before', () => {
    expect(statusesOf(resultOf(tail(2 * 1.1 * 1.14)), resultOf(tail(2)))).toEqual(['same'])
    expect(statusesOf(resultOf(tail(2 * 1.1 * 1.16)), resultOf(tail(2)))).toEqual(['worse'])
    expect(statusesOf(resultOf(tail(1.6)), resultOf(tail(2)))).toEqual(['better'])
  })

  test('figures of the machine are not compared', () => {
    const figure = { ...throughput(10_000), name: 'throughput', isRatio: false }
    expect(compareResults(resultOf({ ...figure, median: 1 }), resultOf(figure)).rows).toEqual([])
  })

  test('a benchmark that one of the two lacks is said so and fails nothing', () => {
    const compared = compareResults(resultOf(throughput(0.6)), resultOf(tail(2)))
    expect(compared.rows.map(({ status }) => status)).toEqual(['new', 'missing'])
    expect(compared.isWorse).toBe(false)
  })
})

describe('targets', () => {
  test('are lower bounds of what should be high and upper bounds of what should be low', () => {
    expect([throughput(0.5), throughput(0.49), tail(3), tail(3.1), { ...tail(9), target: null }].map(reachesTarget)).toEqual([
      true,
      false,
      true,
      false,
      null,
    ])
  })

  test.each<[string, number, number | undefined, string, boolean]>([
    ['reached', 0.5, 0.6, 'reached', false],
    ['missed by less than noise', 0.43, 0.6, 'missed', false],
    ['missed beyond noise', 0.42, 0.6, 'lost', true],
    ['missed beyond noise, as by the baseline', 0.3, 0.4, 'missed', false],
    ['missed beyond noise by what has no baseline', 0.42, undefined, 'lost', true],
  ])('%s', (_name, now, then, status, isLost) => {
    const judged = judgeTargets(resultOf(throughput(now)), then === undefined ? resultOf() : resultOf(throughput(then)))
    expect([judged.rows.map((row) => row.status), judged.isLost]).toEqual([[status], isLost])
  })

  test('rules are judged by their time and by what 500 cost against 5', () => {
    const figure = (median: number) => ({ median, min: median, max: median })
    const figures = (manyUs: number, growth: number) =>
      resultOf(
        ...ruleMetrics(
          'rules',
          { timeTarget: 50, growthTarget: 8 },
          { alike: { manyUs: figure(manyUs), fewUs: figure(1), growth: figure(growth) } },
        ),
      )
    const statuses = (result: BenchResult): readonly string[] => judgeTargets(result, figures(0.6, 1.7)).rows.map(({ status }) => status)
    expect(statuses(figures(49, 7.9))).toEqual(['reached', 'reached'])
    expect(statuses(figures(60, 9.3))).toEqual(['lost', 'lost'])
    expect(statusesOf(figures(0.6, 2), figures(0.6, 1.7))).toEqual(['worse'])
  })

  test('a benchmark over HTTP compares two ratios, the replay one', () => {
    const figure = { median: 1, min: 1, max: 1 }
    const side = { perSecond: figure, p50Ms: figure, p99Ms: figure }
    const figures = { system: side, reference: side, throughputRatio: figure, tailRatio: figure, settledMs: figure, cpuUs: figure }
    const ratios = httpMetrics('decide-20', { throughputTarget: 0.5, tailTarget: 3 }, figures).filter(({ isRatio }) => isRatio)
    expect(ratios.map(({ target }) => target)).toEqual([0.5, 3])
    const replay = {
      throughputRatio: figure,
      perSecond: figure,
      referencePerSecond: figure,
      liveGrowth: figure,
      privateMaxMb: figure,
      rssMaxMb: figure,
    }
    expect(replayMetrics('replay', { rateTarget: 1, growthTarget: 1 }, replay).filter(({ isRatio }) => isRatio)).toHaveLength(1)
  })
})
