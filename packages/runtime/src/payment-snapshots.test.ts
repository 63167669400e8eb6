import { describe, expect, test } from '@jest/globals'
import { createMemoryStore } from '@switchyard/store-memory'
import { createPaymentSnapshots, type FoldOfPayments, SNAPSHOTS_COLLECTION } from './payment-snapshots.ts'

describe('snapshots of the payment fold', () => {
  test('other work gets its turn between two merchants', async () => {
    const heard: string[] = []
    const fold: FoldOfPayments<never> = {
      apply: () => [],
      merchantIds: () => ['m_1', 'm_2', 'm_3'],
      exportMerchant: (merchantId) => {
        setImmediate(() => heard.push(`turn after ${merchantId}`))
        heard.push(merchantId)
        return new Uint8Array(3)
      },
      importMerchant: () => {},
    }
    const snapshots = createPaymentSnapshots(createMemoryStore({ collections: [{ name: SNAPSHOTS_COLLECTION, indexes: [] }] }), fold)
    for (const merchantId of fold.merchantIds()) snapshots.note(merchantId, 0)
    await snapshots.save(new Map([[0, 5]]))
    expect(heard).toEqual(['m_1', 'turn after m_1', 'm_2', 'turn after m_2', 'm_3', 'turn after m_3'])
  })

  test('readers waited for seconds while a projector of another generation took them in: other work gets its turn then, too', async () => {
    const heard: string[] = []
    const fold: FoldOfPayments<never> = {
      apply: () => [],
      merchantIds: () => ['m_1', 'm_2', 'm_3'],
      exportMerchant: () => new Uint8Array(3),
      importMerchant: (merchantId) => {
        setImmediate(() => heard.push(`turn after ${merchantId}`))
        heard.push(merchantId)
      },
    }
    const snapshots = createPaymentSnapshots(createMemoryStore({ collections: [{ name: SNAPSHOTS_COLLECTION, indexes: [] }] }), fold)
    for (const merchantId of fold.merchantIds()) snapshots.note(merchantId, 0)
    await snapshots.save(new Map([[0, 5]]))
    await snapshots.restore()
    expect(heard).toEqual(['m_1', 'turn after m_1', 'm_2', 'turn after m_2', 'm_3', 'turn after m_3'])
  })
})
