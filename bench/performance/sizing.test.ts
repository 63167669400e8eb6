import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { deploymentFor, sizingLines } from './sizing.mjs'

const FACTS = { decisions: 20_000, outcomes: 20_000, folded: 200_000, projected: 20_000 }

describe('the size of a deployment', () => {
  test('a worked example: 10,000 payments a second', () => {
    // Folding: 20,000 of 200,000 events a second are a tenth of a core; answering: half a core for decisions, half for outcomes.
    expect(deploymentFor(FACTS, 10_000)).toEqual({
      cellCount: 1,
      perCell: 10_000,
      foldingShare: 0.1,
      answeringCores: 1,
      deciderCount: 2,
      projectorCount: 2,
      partitionCount: 12,
    })
  })

  test('no process is planned to do more than it can, at any rate', () => {
    const speed = fc.integer({ min: 1_000, max: 1_000_000 })
    const facts = fc.record({ decisions: speed, outcomes: speed, folded: speed, projected: speed })
    fc.assert(
      fc.property(facts, fc.integer({ min: 1, max: 2_000_000 }), (one, rate) => {
        const { cellCount, perCell, foldingShare, answeringCores, deciderCount, projectorCount, partitionCount } = deploymentFor(one, rate)
        expect(cellCount * perCell).toBeCloseTo(rate, 3)
        expect(answeringCores / deciderCount + foldingShare).toBeLessThanOrEqual(0.6 + 1e-9)
        expect((2 * perCell) / projectorCount).toBeLessThanOrEqual(0.6 * one.projected + 1e-6)
        expect(partitionCount).toBeGreaterThanOrEqual(projectorCount)
      }),
    )
  })

  test('nothing is computed of figures that are not there', () => {
    expect(sizingLines([]).join('')).toContain('`decide-50`')
  })
})
