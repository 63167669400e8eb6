import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { ClusterIndex } from './cluster-index.ts'
import { clusterText, type FitCluster } from './fit-cluster.ts'

const text = fc.constantFrom('', 'a', 'b', 'ab', 'visa_applepay', 'visa_googlepay', 'Consumer Debit', 'Consumer Credit')
const kind = fc.record({
  cardNetwork: text,
  variant: text,
  funding: fc.constantFrom('debit' as const, 'credit' as const, '' as const),
  issuerCountry: text,
  currency: text,
  interchangeCategory: text,
  cardProduct: text,
})

test('property: each cluster has one value and no other has it, however often and in whichever order they come', () => {
  fc.assert(
    fc.property(fc.array(kind, { maxLength: 200 }), (kinds) => {
      const created: FitCluster[] = []
      const index = new ClusterIndex((cluster) => {
        created.push(cluster)
        return clusterText(cluster)
      })
      for (const { cardProduct, ...rest } of [...kinds, ...kinds])
        expect(index.of(rest, cardProduct)).toBe(clusterText({ ...rest, cardProduct }))
      expect(created.length).toBe(new Set(kinds.map(clusterText)).size)
    }),
  )
})
