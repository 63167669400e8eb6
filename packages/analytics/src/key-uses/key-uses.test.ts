import { describe, expect, test } from '@jest/globals'
import type { ApiKeysUsed } from '@switchyard/events'
import { createMemoryStore } from '@switchyard/store-memory'
import type { RecordedPayment } from '../recorded-payment.ts'
import { keyUses, readKeyUses } from './key-uses.ts'

const used = (at: number, ...keyIds: readonly string[]): RecordedPayment => {
  const event: ApiKeysUsed = { type: 'ApiKeysUsed', data: { merchantId: 'm_1', requestId: 'r', at, keyIds } }
  return { event, effects: [], position: { partition: 0, offset: at }, eventId: 'e' }
}
const lastUsedAt = (...records: readonly RecordedPayment[]): number =>
  records.reduce((view, record) => keyUses.project(view, record, ['m_1', 'k1']), keyUses.initialView(['m_1', 'k1'])).lastUsedAt

describe('last uses of keys', () => {
  test('each key has a document', () => {
    expect(keyUses.keysOf(used(60_000, 'k1', 'k2'))).toEqual([
      ['m_1', 'k1'],
      ['m_1', 'k2'],
    ])
  })
  test.each([
    [60_000, 0],
    [60_001, 60_000],
    [119_999, 60_000],
    [120_000, 60_000],
  ])('what is told at %i happened in the minute from %i on', (at, minute) => {
    expect(lastUsedAt(used(at, 'k1'))).toBe(minute)
  })
  test('the last one counts, however they come; twice is once', () => {
    expect(lastUsedAt(used(300_000, 'k1'), used(120_000, 'k1'), used(300_000, 'k1'))).toBe(240_000)
  })
  test('are read by merchant', async () => {
    const store = createMemoryStore({ collections: [{ name: keyUses.name, indexes: [] }] })
    const position = { partition: 0, offset: 0 }
    const bodies = [
      ['m_1', 'k1'],
      ['m_10', 'k2'],
    ].map((key) => ({ collection: keyUses.name, key, position, body: { keyId: key[1] ?? '', lastUsedAt: 60_000 } }))
    await store.write(bodies)
    expect(await readKeyUses(store, 'm_1')).toEqual([{ keyId: 'k1', lastUsedAt: 60_000 }])
  })
})
