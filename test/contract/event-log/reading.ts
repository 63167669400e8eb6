import { describe, expect } from '@jest/globals'
import { BEFORE_FIRST, includes, type LogRecord } from '@switchyard/kernel'
import { type EventLogAdapter, idsByKey, idsOf, logTest, type OpenedLog, positionsAfter, readAll, recordOf, recordsOf } from './adapter.ts'

export const describeReading = <Opened extends OpenedLog>(adapter: EventLogAdapter<Opened>): void => {
  describe('reading', () => {
    logTest(adapter, 'of an empty topic finishes without a batch', async ({ log }) => {
      expect(await readAll(log, 'payments')).toEqual([])
    })

    logTest(adapter, 'gives batches of one partition each, in order within it, none of them empty', async ({ log }) => {
      await log.append(
        'payments',
        Array.from({ length: 4_000 }, (_, n) => recordOf(`m_${n % 17}`)),
      )
      const last = new Map<number, number>()
      for await (const batch of log.read('payments', new Map())) {
        expect(new Set(batch.map(({ position }) => position.partition)).size).toBe(1)
        for (const { position } of batch) {
          expect(position.offset).toBeGreaterThan(last.get(position.partition) ?? BEFORE_FIRST)
          last.set(position.partition, position.offset)
        }
      }
      expect(last).toEqual(new Map([...(await log.endPositions('payments'))].filter(([, offset]) => offset !== BEFORE_FIRST)))
    })

    logTest(adapter, 'begins behind the positions, and at the beginning of partitions that they do not name', async ({ log }) => {
      const before = await log.append('payments', [...recordsOf('m_1', 5), ...recordsOf('m_2', 5), ...recordsOf('m_3', 5)])
      const second = [...recordsOf('m_2', 5), ...recordsOf('m_1', 5)]
      await log.append('payments', second)
      expect(idsByKey(await readAll(log, 'payments', positionsAfter(before)))).toEqual(idsByKey(second))

      const all = await readAll(log, 'payments')
      const middle = all[Math.floor(all.length / 2)]?.position ?? { partition: 0, offset: BEFORE_FIRST }
      const from = positionsAfter([middle])
      const expected = all.filter(({ position }) => !includes(from, position))
      expect(idsByKey(await readAll(log, 'payments', from))).toEqual(idsByKey(expected))
      expect(await readAll(log, 'payments', await log.endPositions('payments'))).toEqual([])
    })

    logTest(adapter, 'ends where the log ended when the read began, whatever is appended meanwhile', async ({ log }) => {
      const records = [...recordsOf('m_1', 3_000), ...recordsOf('m_2', 3_000)]
      await log.append('payments', records)
      const found: LogRecord[] = []
      for await (const batch of log.read('payments', new Map())) {
        found.push(...batch)
        await log.append('payments', [recordOf('m_1'), recordOf('m_2')])
      }
      expect(idsByKey(found)).toEqual(idsByKey(records))
    })

    logTest(adapter, 'can be given up, and begun again', async ({ log }) => {
      const records = recordsOf('m_1', 5_000)
      await log.append('payments', records)
      for await (const batch of log.read('payments', new Map())) {
        expect(batch.length).toBeGreaterThan(0)
        break
      }
      expect(idsOf(await readAll(log, 'payments'))).toEqual(idsOf(records))
    })

    logTest(adapter, 'gives records that nobody else shares', async ({ log }) => {
      await log.append('payments', [recordOf('m_1')])
      const [first] = await readAll(log, 'payments')
      const bytes = [...(first?.value ?? [])]
      first?.value.fill(0)
      const [again] = await readAll(log, 'payments')
      expect([...(again?.value ?? [])]).toEqual(bytes)
    })
  })

  describe('end positions', () => {
    logTest(adapter, 'name every partition of an empty topic', async ({ log }) => {
      const ends = await log.endPositions('config')
      expect(ends.size).toBeGreaterThan(0)
      expect([...ends.values()].every((offset) => offset === BEFORE_FIRST)).toBe(true)
      const { partition, offset } = await log.endPosition('config', 'm_1')
      expect(offset).toBe(BEFORE_FIRST)
      expect(ends.has(partition)).toBe(true)
    })

    logTest(adapter, 'are those of the last records', async ({ log, openReader }) => {
      const reader = await openReader()
      const positions = await log.append('payments', [...recordsOf('m_1', 4), ...recordsOf('m_2', 3)])
      for (const handle of [log, reader]) {
        const ends = await handle.endPositions('payments')
        expect(new Map([...ends].filter(([, offset]) => offset !== BEFORE_FIRST))).toEqual(positionsAfter(positions))
        const end = await handle.endPosition('payments', 'm_1')
        expect(end.partition).toBe(positions[0]?.partition)
        expect(end.offset).toBe(ends.get(end.partition))
      }
      const later = await log.append('payments', [recordOf('m_1')])
      expect([await reader.endPosition('payments', 'm_1')]).toEqual(later)
    })
  })
}
