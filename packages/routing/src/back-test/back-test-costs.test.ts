import { describe, expect, test } from '@jest/globals'
import type { CostChoice, GatewayDecided, PaymentPricing } from '@switchyard/events'
import { sampleGatewayDecided, sampleOutcomeRecorded } from '@switchyard/testing'
import { type BackTestOptions, createBackTest } from './back-test.ts'
import type { CostWeighing } from './weigh-again.ts'

const CANDIDATES = ['a', 'b']
const pricing = (change: Partial<PaymentPricing> = {}): PaymentPricing => ({
  costsBps: [300, 100],
  marginRatio: 0.5,
  wanted: false,
  ...change,
})
const row = (gateway: string, costBps: number) => ({
  gateway,
  costBps,
  authRatio: 1,
  pctBps: costBps,
  fixed: 0,
  expectedRatio: 0,
  source: 'EXACT' as const,
  interchangeCategory: null,
})
const choice: CostChoice = {
  outcome: 'COST_WON',
  cause: 'PROMOTED',
  marginRatio: 0.5,
  head: 'a',
  chosen: 'b',
  costSavedBps: 200,
  gapRatio: null,
  ranked: [row('b', 100), row('a', 300)],
  modelVersion: null,
}
/** Cheapest of what has a price. */
const cheapest = ({ candidates, costsBps }: CostWeighing): string | null => {
  const known = candidates.flatMap((gateway, index) => {
    const costBps = costsBps[index] ?? null
    return costBps === null ? [] : [{ gateway, costBps }]
  })
  return known.sort((one, other) => one.costBps - other.costBps)[0]?.gateway ?? null
}

const { knobs } = sampleGatewayDecided().data
const hedged = { ...knobs, bucketSize: 10, hedgingPercent: 20 }

/** Payments that differ as told; every fifth explores, the others go where `gateway` says. */
const replay = (options: Partial<BackTestOptions>, change: (index: number) => Partial<GatewayDecided['data']>, count = 400) => {
  const asked: CostWeighing[] = []
  const chooseByCost = (weighing: CostWeighing) => {
    asked.push(weighing)
    return cheapest(weighing)
  }
  const backTest = createBackTest({ changes: {}, startMs: 0, endMs: 1e9, decisionCountMax: 1_000, chooseByCost, ...options })
  const weighed = Array.from({ length: count }, (_, index) => {
    const paymentId = `p_${index}`
    const explores = index % 5 === 0
    const decision = sampleGatewayDecided({
      paymentId,
      requestId: `d_${index}`,
      at: index,
      candidates: CANDIDATES,
      scores: [0.9, 0.8],
      approach: explores ? 'SR_V3_HEDGING' : 'SR_SELECTION_V3_ROUTING',
      explored: explores,
      gateway: explores ? 'b' : 'a',
      knobs: hedged,
      ...change(index),
    })
    const told = backTest.apply(decision)
    const { gateway } = decision.data
    backTest.apply(sampleOutcomeRecorded({ paymentId, requestId: `o_${index}`, gateway, at: index, status: 'CHARGED' }))
    return told
  })
  return { weighed, result: backTest.result(), asked }
}
const explores = (index: number): boolean => index % 5 === 0

describe('a back-test of payments with costs', () => {
  test('a payment that cost moved was as likely to go there as others that do not explore', () => {
    const { weighed } = replay({}, (index) =>
      explores(index)
        ? { pricing: pricing({ wanted: true }) }
        : { gateway: 'b', approach: 'SR_SELECTION_MULTI_OBJECTIVE', costChoice: choice },
    )
    // What explores goes to b as well: it is not the best by score.
    expect(weighed.map((one) => one?.recorded)).toEqual(weighed.map(() => [0, 1]))
  })

  test('a payment that explored was weighed by what stands with it', () => {
    const { asked } = replay({}, (index) => ({ pricing: pricing({ wanted: explores(index) }) }), 5)
    // First it is weighed by the scores that the other settings would have seen.
    expect(asked[1]).toEqual({ candidates: CANDIDATES, authRates: [0.9, 0.8], costsBps: [300, 100], down: [], marginRatio: 0.5 })
  })

  test('cost is given a say, and a margin', () => {
    const { result, asked } = replay({ changes: { multiObjective: true, margin: 0.1 } }, () => ({ pricing: pricing() }))
    expect(result).toMatchObject({ unanswerable: null, costWeighedCount: 400, pricedCount: 400, movedShare: expect.closeTo(0.7, 9) })
    expect(asked.every(({ marginRatio }) => marginRatio === 0.1)).toBe(true)
    const [{ cost } = { cost: undefined }] = result.costs
    expect(cost?.estimated?.value).toBeLessThan(cost?.recorded ?? 0)
  })

  test('no say is taken from it', () => {
    const { result, asked } = replay({ changes: { multiObjective: false } }, () => ({ pricing: pricing() }))
    expect([result.costWeighedCount, asked.length]).toEqual([0, 0])
  })

  test.each([
    ['a margin without costs', { margin: 0.2 }, null, 'NO_COSTS'],
    ['cost asked to have a say where nothing is known', { multiObjective: true }, null, 'NO_COSTS'],
    ['a margin where cost has no say', { margin: 0.2 }, pricing(), 'COSTS_NOT_WEIGHED'],
    ['a margin with a say', { margin: 0.2, multiObjective: true }, pricing(), null],
    ['other settings without costs', { bucketSize: 20 }, null, null],
  ])('%s', (_, changes, priced, unanswerable) => {
    const { result } = replay({ changes }, () => ({ pricing: priced }))
    expect(result.unanswerable).toBe(unanswerable)
    expect(result.estimated === null).toBe(unanswerable !== null)
    expect(result.costs.length === 0).toBe(unanswerable !== null)
  })
})
