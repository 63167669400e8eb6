import { describe, expect, test } from '@jest/globals'
import type { PaymentsEvent } from '@switchyard/events'
import { sampleGatewayDecided, sampleOutcomeRecorded } from '@switchyard/testing'
import { createBackTest } from './back-test.ts'

const { knobs } = sampleGatewayDecided().data

/** Every fifth payment explores gateway `b`, the others go to `a`; every second fails and is decided again, without both. */
const replay = (retry: (paymentId: string, at: number) => readonly PaymentsEvent[]) => {
  const backTest = createBackTest({ changes: {}, startMs: 0, endMs: 1e9, decisionCountMax: 1_000, chooseByCost: () => null })
  for (let index = 0; index < 400; index++) {
    const paymentId = `p_${index}`
    const at = index * 10
    const explored = index % 5 === 0
    const gateway = explored ? 'b' : 'a'
    const isApproved = index % 2 === 0
    backTest.apply(
      sampleGatewayDecided({
        paymentId,
        requestId: `d_${index}`,
        at,
        candidates: ['a', 'b', 'c'],
        scores: [0.9, 0.8, 0.7],
        approach: explored ? 'SR_V3_HEDGING' : 'SR_SELECTION_V3_ROUTING',
        explored,
        gateway,
        knobs: { ...knobs, bucketSize: 10, hedgingPercent: 20 },
      }),
    )
    const status = isApproved ? 'CHARGED' : 'FAILURE'
    backTest.apply(sampleOutcomeRecorded({ paymentId, requestId: `o_${index}`, gateway, at: at + 1, status }))
    if (!isApproved) for (const event of retry(paymentId, at + 2)) backTest.apply(event)
  }
  return backTest.result()
}

const decidedAgain = (paymentId: string, at: number) =>
  sampleGatewayDecided({
    paymentId,
    requestId: `again_${paymentId}`,
    at,
    candidates: ['c', 'd'],
    scores: [0.7, 0.6],
    approach: 'SR_SELECTION_V3_ROUTING',
    gateway: 'c',
    knobs: { ...knobs, bucketSize: 10, hedgingPercent: 20 },
  })

describe('a back-test of payments that are decided again after a decline', () => {
  test('without an end of the retry: the first decision keeps its end', () => {
    const result = replay((paymentId, at) => [decidedAgain(paymentId, at)])
    expect(result).toMatchObject({ recorded: 0.5, paymentCount: 400, decisionCount: 600, unweighableCount: 200, openCount: 0 })
  })

  test('with an approved retry: the payment counts by the gateway that it was decided for first', () => {
    const result = replay((paymentId, at) => [
      decidedAgain(paymentId, at),
      sampleOutcomeRecorded({ paymentId, requestId: `again_o_${paymentId}`, gateway: 'c', at: at + 1, status: 'CHARGED' }),
    ])
    expect(result).toMatchObject({ recorded: 0.5, paymentCount: 400, unweighableCount: 200 })
  })
})

test('a decision that stands twice in the log, from a batch that was sent again, is one', () => {
  const backTest = createBackTest({ changes: {}, startMs: 0, endMs: 1e9, decisionCountMax: 10, chooseByCost: () => null })
  const decided = sampleGatewayDecided({ paymentId: 'p', requestId: 'd', at: 9, candidates: ['a', 'b'], scores: [1, 0.5], gateway: 'a' })
  for (const event of [decided, decided]) backTest.apply(event)
  expect(backTest.result()).toMatchObject({ decisionCount: 1, unweighableCount: 0, paymentCount: 0, openCount: 1 })
})

test.each([
  [['CHARGED'], 1],
  [['FAILURE'], 0],
  [['FAILURE', 'CHARGED'], 1],
] as const)('reports that came before their decision, %j, tell its end', (statuses, recorded) => {
  const backTest = createBackTest({ changes: {}, startMs: 0, endMs: 1e9, decisionCountMax: 10, chooseByCost: () => null })
  for (const status of statuses) backTest.apply(sampleOutcomeRecorded({ paymentId: 'p', requestId: status, gateway: 'a', at: 10, status }))
  backTest.apply(sampleGatewayDecided({ paymentId: 'p', requestId: 'd', at: 9, candidates: ['a', 'b'], scores: [1, 0.5], gateway: 'a' }))
  expect(backTest.result()).toMatchObject({ recorded, paymentCount: 1, openCount: 0 })
})
