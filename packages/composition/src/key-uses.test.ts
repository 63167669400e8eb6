import { describe, expect, test } from '@jest/globals'
import type { PaymentsEvent } from '@switchyard/events'
import { createManualTimers } from '@switchyard/testing'
import { createKeyUses } from './key-uses.ts'

const start = () => {
  const timers = createManualTimers()
  const told: PaymentsEvent[] = []
  const now = (): number => 1_760_000_030_000 + timers.now()
  const uses = createKeyUses({ appender: { enqueue: (event) => told.push(event) }, timers, now, newId: () => `id-${told.length}` })
  void uses.part.start(new AbortController().signal)
  return { uses, timers, told }
}
const key = (keyId: string, merchantId = 'm1') => ({ keyId, merchantId, notedInRound: 0 })

describe('the use of keys', () => {
  test('is told at the full minute, once a key, by merchant', () => {
    const { uses, timers, told } = start()
    const [one, two, other] = [key('k1'), key('k2'), key('k3', 'm2')]
    for (const used of [one, one, two, other, one]) uses.note(used)
    timers.advance(9_999)
    expect(told).toEqual([])
    timers.advance(1)
    const at = 1_760_000_040_000
    expect(told).toEqual([
      { type: 'ApiKeysUsed', data: { merchantId: 'm1', requestId: 'id-0', at, keyIds: ['k1', 'k2'] } },
      { type: 'ApiKeysUsed', data: { merchantId: 'm2', requestId: 'id-1', at, keyIds: ['k3'] } },
    ])
  })
  test('a key whose record was made anew meanwhile is told once', () => {
    const { uses, timers, told } = start()
    for (const used of [key('k1'), key('k1'), key('k1')]) uses.note(used)
    timers.advance(10_000)
    expect(told).toMatchObject([{ data: { keyIds: ['k1'] } }])
  })
  test('is told again only when there was some', () => {
    const { uses, timers, told } = start()
    const one = key('k1')
    uses.note(one)
    timers.advance(10_000)
    timers.advance(60_000)
    expect(told).toHaveLength(1)
    uses.note(one)
    timers.advance(60_000)
    expect(told).toHaveLength(2)
  })
  test('of the last minute is told at the end', async () => {
    const { uses, timers, told } = start()
    uses.note(key('k1'))
    await uses.part.stop()
    expect(told).toHaveLength(1)
    timers.advance(60_000)
    expect(told).toHaveLength(1)
  })
  test('many keys are told in several events', async () => {
    const { uses, told } = start()
    for (let i = 0; i < 1_001; i++) uses.note(key(`k${i}`))
    await uses.part.stop()
    expect(told.map(({ data }) => ('keyIds' in data ? data.keyIds.length : 0))).toEqual([1_000, 1])
  })
})
