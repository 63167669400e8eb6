import { describe, expect, test } from '@jest/globals'
import { hash53 } from '@switchyard/kernel'
import fc from 'fast-check'
import { rankGateways } from './ranking.ts'

const entries = fc.uniqueArray(fc.record({ gateway: fc.string({ minLength: 1 }), score: fc.constantFrom(0, 0.25, 0.5, 1) }), {
  maxLength: 40,
  size: 'max',
  selector: ({ gateway }) => gateway,
})

describe('the order of gateways', () => {
  test('is that of sorting by score, then by the hash of payment and gateway', () => {
    fc.assert(
      fc.property(fc.string(), entries, (paymentId, scored) => {
        const tieOf = (gateway: string): number => hash53('tie', paymentId, gateway)
        const sorted = [...scored].sort((a, b) => b.score - a.score || tieOf(a.gateway) - tieOf(b.gateway))
        const names = scored.map(({ gateway }) => gateway)
        const scores = scored.map(({ score }) => score)
        expect(rankGateways(paymentId, names, scores)).toEqual(sorted.map(({ gateway }) => gateway))
      }),
    )
  })
})
