import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import type { NewRecord } from '@switchyard/kernel'
import { createMemoryLog } from '@switchyard/log-memory'
import {
  createEventCodec,
  exportedLine,
  exportedRecords,
  publishedSchemaIds,
  type ReadEvent,
  readEvents,
  type SwitchyardEvent,
} from './index.ts'

const codec = createEventCodec(publishedSchemaIds(), { strict: true })
const MINUTE_MS = 60_000

const enabled = (merchantId: string, at: number): SwitchyardEvent => ({ type: 'FeatureEnabled', data: { merchantId, feature: 'f', at } })

const recordOf = (event: SwitchyardEvent, id: string): NewRecord => ({
  key: event.data.at % 2 === 0 ? 'm_even' : 'm_odd',
  value: codec.encode(event),
  headers: { id, type: `switchyard.config.${event.type}` },
})

/** Events one minute apart; the merchant of even ones is `m_even`. */
const logOf = async (count: number) => {
  const log = createMemoryLog({ partitionCount: 2 })
  const records = Array.from({ length: count }, (_, i) => recordOf(enabled('m', i * MINUTE_MS + (i % 2)), `e_${i}`))
  await log.append('config', records)
  return log
}

const collected = async <Event>(events: AsyncIterable<ReadEvent<Event>>): Promise<readonly ReadEvent<Event>[]> => {
  const all: ReadEvent<Event>[] = []
  for await (const event of events) all.push(event)
  return all
}

const minutesOf = (events: readonly ReadEvent<SwitchyardEvent>[]): readonly number[] =>
  events.map(({ event }) => Math.floor(event.data.at / MINUTE_MS)).toSorted((a, b) => a - b)

describe('readEvents', () => {
  test('gives every event with its type, key, id and position', async () => {
    const log = await logOf(3)
    const events = await collected(readEvents({ source: log, topic: 'config' }))
    expect(minutesOf(events)).toEqual([0, 1, 2])
    const [first] = events.filter(({ eventId }) => eventId === 'e_0')
    expect(first).toEqual({
      topic: 'config',
      position: expect.objectContaining({ offset: 0 }),
      key: 'm_even',
      eventId: 'e_0',
      correlation: undefined,
      actor: undefined,
      expectedVersion: undefined,
      event: enabled('m', 0),
    })
  })

  test('from is included, to is not, and the merchant is the key', async () => {
    const log = await logOf(20)
    expect(minutesOf(await collected(readEvents({ source: log, topic: 'config', from: 4 * MINUTE_MS, to: 7 * MINUTE_MS })))).toEqual([
      4, 5, 6,
    ])
    const even = await collected(readEvents({ source: log, topic: 'config', merchantId: 'm_even', to: 5 * MINUTE_MS }))
    expect(minutesOf(even)).toEqual([0, 2, 4])
  })

  test('goes on behind positions that were handled', async () => {
    const log = await logOf(10)
    const seen = await collected(readEvents({ source: log, topic: 'config', merchantId: 'm_even' }))
    const third = seen[2]?.position ?? { partition: 0, offset: 0 }
    const rest = await collected(
      readEvents({ source: log, topic: 'config', merchantId: 'm_even', after: new Map([[third.partition, third.offset]]) }),
    )
    expect(minutesOf(rest)).toEqual([6, 8])
  })

  test('a span at the end of a long log is found by halving, also when its beginning is forgotten', async () => {
    const log = await logOf(20_000)
    let read = 0
    const counted = {
      ...log,
      read: async function* (...args: Parameters<typeof log.read>) {
        for await (const records of log.read(...args)) {
          read += records.length
          yield records
        }
      },
    }
    const wanted = { topic: 'config', from: 19_990 * MINUTE_MS } as const
    expect(minutesOf(await collected(readEvents({ ...wanted, source: counted })))).toEqual(Array.from({ length: 10 }, (_, i) => 19_990 + i))
    const ends = await log.endPositions('config')
    await log.truncate('config', new Map([...ends].map(([partition, end]) => [partition, Math.floor(end * 0.6)])))
    expect(minutesOf(await collected(readEvents({ ...wanted, source: counted })))).toHaveLength(10)
    const everything = await collected(readEvents({ topic: 'config', from: 0, source: counted }))
    expect(everything.length).toBeGreaterThan(7_000)
  })

  test('a record that can not be read ends the reading by name, or is passed by when somebody hears of it', async () => {
    const log = await logOf(2)
    await log.append('config', [{ key: 'm_even', value: Uint8Array.of(0, 0, 0, 9, 9, 1), headers: { id: 'e_x', type: 'unknown' } }])
    await log.append('config', [recordOf(enabled('m', 2 * MINUTE_MS), 'e_2')])
    await expect(collected(readEvents({ source: log, topic: 'config' }))).rejects.toMatchObject({
      code: 'SCHEMA_UNKNOWN',
      message: expect.stringMatching(/^config \d\/\d+: /),
    })
    const passed: string[] = []
    const onUnreadable = ({ headers }: { readonly headers: { readonly id: string } }, { code }: { readonly code: string }): void =>
      void passed.push(`${headers.id} ${code}`)
    expect(minutesOf(await collected(readEvents({ source: log, topic: 'config', onUnreadable })))).toEqual([0, 1, 2])
    expect(passed).toEqual(['e_x SCHEMA_UNKNOWN'])
  })

  test('the data of an event has its own type', async () => {
    const log = await logOf(1)
    for await (const { event } of readEvents({ source: log, topic: 'config' })) {
      if (event.type === 'FeatureEnabled') expect(event.data.feature satisfies string).toBe('f')
      // @ts-expect-error -- events of another topic are none of this one
      expect(event.type === 'GatewayDecided').toBe(false)
    }
  })

  test('those of webhooks and costs had the types of payments', async () => {
    const log = createMemoryLog({ partitionCount: 1 })
    const abandoned: SwitchyardEvent = {
      type: 'DeliveryAbandoned',
      data: { merchantId: 'm', chainId: 'evt_1', profileId: 'default', at: 0 },
    }
    const ingestion = { merchantId: 'm', ingestionId: 'i_1', connector: 'adyen', account: 'a', merchantRegistrationCount: 1 }
    const deleted: SwitchyardEvent = { type: 'IngestionDeleted', data: { ...ingestion, at: 0 } }
    await log.append('webhooks', [recordOf(abandoned, 'e_0')])
    await log.append('costs', [recordOf(deleted, 'e_1')])
    const ids: string[] = []
    for await (const { event } of readEvents({ source: log, topic: 'webhooks' }))
      if (event.type === 'DeliveryAbandoned') ids.push(event.data.chainId satisfies string)
    for await (const { event } of readEvents({ source: log, topic: 'costs' }))
      if (event.type === 'IngestionDeleted') ids.push(event.data.ingestionId satisfies string)
    expect(ids).toEqual(['evt_1', 'i_1'])
  })
})

describe('an export', () => {
  const linesOf = (lines: readonly string[]) =>
    async function* (): AsyncGenerator<string> {
      yield* lines
    }

  test('gives the same events as the log that it was taken from', async () => {
    const log = await logOf(1_200)
    const lines: string[] = []
    for await (const records of log.read('config', new Map())) lines.push(...records.map((record) => exportedLine('config', record)))
    const options = { topic: 'config', from: 100 * MINUTE_MS, merchantId: 'm_odd' } as const
    const fromFile = await collected(readEvents({ ...options, source: exportedRecords(linesOf(lines)) }))
    expect(fromFile).toEqual(await collected(readEvents({ ...options, source: log })))
    expect(fromFile).toHaveLength(550)
    expect(await collected(readEvents({ source: exportedRecords(linesOf(lines)), topic: 'payments' }))).toEqual([])
  })

  test('the recorded log of a release is one', async () => {
    const text = readFileSync(new URL('../../../test/golden/recorded/0.1.0/log.ndjson', import.meta.url), 'utf8')
    const source = exportedRecords(linesOf(text.trim().split('\n')))
    const count = async (topic: 'config' | 'payments'): Promise<number> => (await collected(readEvents({ source, topic }))).length
    expect((await count('config')) + (await count('payments'))).toBe(text.trim().split('\n').length)
  })

  test.each([
    ['no json', 'is not JSON'],
    ['{}', 'names no topic'],
    ['{"topic":"config"}', 'no key'],
    ['{"topic":"config","key":"k","headers":{"id":"a","type":"t"}}', 'no position'],
    ['{"topic":"config","key":"k","headers":{"id":"a","type":"t"},"position":{"partition":0,"offset":1},"data":{}}', 'no value'],
  ])('a line that is none is named: %s', async (line, why) => {
    const source = exportedRecords(linesOf(['', line]))
    await expect(collected(readEvents({ source, topic: 'config' }))).rejects.toMatchObject({
      code: 'RECORD_UNREADABLE',
      message: expect.stringContaining('line 2'),
    })
    await expect(collected(readEvents({ source, topic: 'config' }))).rejects.toThrow(why)
  })
})
