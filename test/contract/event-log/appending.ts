import { describe, expect } from '@jest/globals'
import { AssertionFailed, EXPECTED_VERSION_MAX, isAfter, type NewRecord, RECORD_TEXT_BYTES_MAX } from '@switchyard/kernel'
import { type EventLogAdapter, idsByKey, idsOf, logTest, type OpenedLog, readAll, recordOf, recordsOf } from './adapter.ts'

const KEYS = ['m_1', 'm_2', 'm_3', 'm_4', 'm_5']

export const describeAppending = <Opened extends OpenedLog>(adapter: EventLogAdapter<Opened>): void => {
  describe('appending', () => {
    logTest(adapter, 'gives the positions in the order of the records, and each record stands at its position', async ({ log }) => {
      const records = KEYS.flatMap((key) => recordsOf(key, 3))
      const positions = await log.append('payments', records)
      const expected = records.map((record, index) => ({ ...record, position: positions[index] }))
      const found = await readAll(log, 'payments')
      for (const { key, value, headers, position } of expected) {
        const same = found.filter((other) => other.headers.id === headers.id)
        const parts = same.map((other) => ({
          key: other.key,
          value: Buffer.from(other.value),
          headers: other.headers,
          position: other.position,
        }))
        expect(parts).toEqual([{ key, value, headers, position }])
      }
      expect(found).toHaveLength(records.length)
    })

    logTest(adapter, 'keeps all headers, leaves absent ones absent, and takes any text and any bytes', async ({ log }) => {
      const type = 'switchyard.config.MerchantRegistered'
      const trace = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
      const headers: readonly NewRecord['headers'][] = [
        { id: 'bare', type },
        { id: 'all', type, correlation: 'req-1', actor: 'user:u_1', expectedVersion: 0, trace },
        { id: 'traced', type, trace },
        { id: 'traced otherwise', type, traceId: 't-1', globalRequestId: 'g'.repeat(64) },
        { id: 'asked by', type, actor: 'admin', trace, globalRequestId: '~' },
        { id: 'some', type, actor: '', expectedVersion: 4_000_000_000 },
        { id: 'ünïcode 😀', type, correlation: 'запрос', trace },
        { id: 'ünïcode 😀', type, correlation: 'запрос', traceId: '!' },
        { id: 'ünïcode 😀', type, correlation: 'запрос' },
      ]
      const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte)
      for (const each of headers) await log.append('config', [{ key: 'händler 😀', value: bytes, headers: each }])
      await log.append('config', [{ key: '', value: new Uint8Array(), headers: { id: 'empty', type } }])
      const found = await readAll(log, 'config')
      const ofKey = found.filter(({ key }) => key === 'händler 😀')
      expect(ofKey.map((record) => record.headers)).toEqual(headers)
      expect(Object.keys(ofKey[0]?.headers ?? {}).sort()).toEqual(['id', 'type'])
      expect(ofKey.map(({ value }) => [...value])).toEqual(headers.map(() => [...bytes]))
      expect(found.filter(({ key }) => key === '').map(({ value }) => value.length)).toEqual([0])
    })

    logTest(adapter, 'takes texts and versions up to their limit, and nothing of a batch with one beyond it', async ({ log }) => {
      const longest = 'ü'.repeat(RECORD_TEXT_BYTES_MAX / 2)
      const fits = recordOf(longest)
      const record: NewRecord = { ...fits, headers: { ...fits.headers, expectedVersion: EXPECTED_VERSION_MAX } }
      await log.append('config', [record])
      const tooLong = `${longest}x`
      const headers: readonly Partial<NewRecord['headers']>[] = [
        ...['id', 'type', 'correlation', 'actor'].map((name) => ({ [name]: tooLong })),
        ...['', `00-${'f'.repeat(52)}`, 'é'.repeat(55)].map((trace) => ({ trace })),
        ...['', 'two words', 'é', 'x'.repeat(65)].flatMap((id) => [{ traceId: id }, { globalRequestId: id }]),
        ...[-1, 0.5, EXPECTED_VERSION_MAX + 1].map((expectedVersion) => ({ expectedVersion })),
      ]
      const refused = [{ ...fits, key: tooLong }, ...headers.map((wrong) => ({ ...fits, headers: { ...fits.headers, ...wrong } }))]
      for (const each of refused) await expect(log.append('config', [recordOf('m_1'), each])).rejects.toThrow(AssertionFailed)
      expect((await readAll(log, 'config')).map(({ key, headers: found }) => ({ key, headers: found }))).toEqual([
        { key: longest, headers: record.headers },
      ])
    })

    logTest(adapter, 'of nothing gives nothing', async ({ log }) => {
      expect(await log.append('payments', [])).toEqual([])
      expect(await readAll(log, 'payments')).toEqual([])
    })

    logTest(adapter, 'keeps the order of the calls for each key, also when they are not awaited', async ({ log }) => {
      const calls = Array.from({ length: 200 }, (_, call) => [...recordsOf(KEYS[call % 5] ?? '', 2), recordOf(KEYS[(call * 3) % 5] ?? '')])
      const positions = await Promise.all(calls.map(async (records) => await log.append('payments', records)))
      expect(idsByKey(await readAll(log, 'payments'))).toEqual(idsByKey(calls.flat()))
      const placed = calls.flat().map(({ key }, index) => ({ key, position: positions.flat()[index] }))
      for (const key of KEYS) {
        const own = placed.filter((place) => place.key === key).map(({ position }) => position)
        for (const [index, position] of own.entries()) {
          const previous = own[index - 1]
          expect(position !== undefined && (previous === undefined || isAfter(position, previous))).toBe(true)
        }
      }
    })

    logTest(adapter, 'takes the bytes as they are when it is called', async ({ log }) => {
      const record = recordOf('m_1')
      const before = [...record.value]
      const appended = log.append('payments', [record])
      record.value.fill(0)
      await appended
      const [found] = await readAll(log, 'payments')
      expect([...(found?.value ?? [])]).toEqual(before)
    })

    logTest(adapter, 'takes more records than fit into one batch, and a large one among them', async ({ log }) => {
      const large = { ...recordOf('m_2'), value: Buffer.alloc(300_000, 7) }
      const records = [...recordsOf('m_1', 3_000), large, ...recordsOf('m_1', 3_000), ...recordsOf('m_2', 3_000)]
      const positions = await log.append('payments', records)
      expect(new Set(positions.map(({ partition, offset }) => `${partition}:${offset}`)).size).toBe(records.length)
      const found = await readAll(log, 'payments')
      expect(idsByKey(found)).toEqual(idsByKey(records))
      expect(found.find(({ headers }) => headers.id === large.headers.id)?.value.every((byte) => byte === 7)).toBe(true)
    })

    logTest(adapter, 'to one topic is not seen in the other', async ({ log }) => {
      const [config, payment] = [recordOf('m_1'), recordOf('m_1')]
      await log.append('config', [config])
      await log.append('payments', [payment])
      expect(idsOf(await readAll(log, 'config'))).toEqual([config.headers.id])
      expect(idsOf(await readAll(log, 'payments'))).toEqual([payment.headers.id])
    })
  })
}
