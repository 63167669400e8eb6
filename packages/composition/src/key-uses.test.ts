import { describe, expect, test } from '@jest/globals'
import { createEventCodec, type PaymentsEvent, publishedSchemaIds } from '@switchyard/events'
import { OperatingError } from '@switchyard/kernel'
import { createMemoryLog } from '@switchyard/log-memory'
import { APPENDER_LIMITS, createPaymentAppender } from '@switchyard/runtime'
import { createManualTimers, sampleGatewayDecided, turn } from '@switchyard/testing'
import { createKeyUses, TELL_AT_END_MAX_MS } from './key-uses.ts'

const start = () => {
  const timers = createManualTimers()
  const groups: (readonly PaymentsEvent[])[] = []
  let isAway = false
  const appendAll = async (events: readonly PaymentsEvent[]) => {
    if (isAway) throw new OperatingError('LOG_UNAVAILABLE', 'away', { retryable: true })
    groups.push(events)
    return []
  }
  let lateMs = 0
  const now = (): number => 1_760_000_030_000 + timers.now() + lateMs
  const uses = createKeyUses({ appender: { appendAll }, timers, now, newId: () => 'id' })
  void uses.part.start(new AbortController().signal)
  const pass = async (ms: number): Promise<void> => {
    timers.advance(ms)
    await turn()
  }
  const setAway = (away: boolean): void => {
    isAway = away
  }
  const setLate = (ms: number): void => {
    lateMs = ms
  }
  return { uses, pass, groups, told: () => groups.flat(), setAway, setLate }
}
const key = (keyId: string, merchantId = 'm1') => ({ keyId, merchantId, notedInRound: 0 })
const keyCounts = (events: readonly PaymentsEvent[]): readonly number[] =>
  events.map(({ data }) => ('keyIds' in data ? data.keyIds.length : 0))

describe('the use of keys', () => {
  test('is told at the full minute, once a key, by merchant', async () => {
    const { uses, pass, told } = start()
    const [one, two, other] = [key('k1'), key('k2'), key('k3', 'm2')]
    for (const used of [one, one, two, other, one]) uses.note(used)
    await pass(9_999)
    expect(told()).toEqual([])
    await pass(1)
    const at = 1_760_000_040_000
    expect(told()).toEqual([
      { type: 'ApiKeysUsed', data: { merchantId: 'm1', requestId: 'id', at, keyIds: ['k1', 'k2'] } },
      { type: 'ApiKeysUsed', data: { merchantId: 'm2', requestId: 'id', at, keyIds: ['k3'] } },
    ])
  })

  test.each([-4, 1, 900])('is told as that of the minute that ends, by a timer that ends %d ms behind it', async (ms) => {
    const { uses, pass, told, setLate } = start()
    uses.note(key('k1'))
    setLate(ms)
    await pass(10_000)
    expect(told()).toMatchObject([{ data: { keyIds: ['k1'], at: 1_760_000_040_000 } }])
  })

  test('a key whose record was made anew meanwhile is told once', async () => {
    const { uses, pass, told } = start()
    for (const used of [key('k1'), key('k1'), key('k1')]) uses.note(used)
    await pass(10_000)
    expect(told()).toMatchObject([{ data: { keyIds: ['k1'] } }])
  })

  test('is told again only when there was some', async () => {
    const { uses, pass, told } = start()
    const one = key('k1')
    uses.note(one)
    await pass(10_000)
    await pass(60_000)
    expect(told()).toHaveLength(1)
    uses.note(one)
    await pass(60_000)
    expect(told()).toHaveLength(2)
  })

  test('of the last minute is told at the end', async () => {
    const { uses, pass, told } = start()
    uses.note(key('k1'))
    await uses.part.stop()
    expect(told()).toHaveLength(1)
    await pass(60_000)
    expect(told()).toHaveLength(1)
  })

  test('many keys are told in several events', async () => {
    const { uses, told } = start()
    for (let i = 0; i < 501; i++) uses.note(key(`k${i}`))
    await uses.part.stop()
    expect(keyCounts(told())).toEqual([250, 250, 1])
  })

  test('of many merchants is told in groups, each behind the one before', async () => {
    const { uses, groups } = start()
    for (let i = 0; i < 601; i++) uses.note(key(`k${i}`, `m${i}`))
    await uses.part.stop()
    expect(groups.map(({ length }) => length)).toEqual([250, 250, 101])
  })

  test('of many keys of few merchants is told in groups, too', async () => {
    const { uses, groups } = start()
    for (let i = 0; i < 600; i++) uses.note(key(`k${i}`, `m${i % 2}`))
    await uses.part.stop()
    expect(groups.map(keyCounts)).toEqual([
      [125, 125],
      [125, 125],
      [50, 50],
    ])
  })

  test('held up the end, and with it the decisions that wait, while the log did not answer', async () => {
    const timers = createManualTimers()
    const appendAll = () => new Promise<never>(() => {})
    const uses = createKeyUses({ appender: { appendAll }, timers, now: () => 0, newId: () => 'id' })
    uses.note(key('k1'))
    let isOver = false
    const stopping = uses.part.stop().then(() => {
      isOver = true
    })
    await turn()
    expect(isOver).toBe(false)
    timers.advance(TELL_AT_END_MAX_MS)
    await stopping
    expect(isOver).toBe(true)
  })

  test('is told a minute later when the log did not take it, with what was used since', async () => {
    const { uses, pass, groups, setAway } = start()
    for (let i = 0; i < 300; i++) uses.note(key(`k${i}`, `m${i}`))
    setAway(true)
    await pass(10_000)
    uses.note(key('new'))
    setAway(false)
    await pass(60_000)
    expect(groups.map(({ length }) => length)).toEqual([250, 51])
    expect(keyCounts(groups.flat()).reduce((sum, count) => sum + count)).toBe(301)
  })

  test('what is used again and again while the log is away is told once', async () => {
    const { uses, pass, told, setAway } = start()
    const one = key('k1')
    setAway(true)
    for (let minute = 0; minute < 3; minute++) {
      uses.note(one)
      await pass(60_000)
    }
    setAway(false)
    await pass(60_000)
    expect(keyCounts(told())).toEqual([1])
  })

  test('of more keys than events may wait dropped decisions', async () => {
    const limits = { ...APPENDER_LIMITS, lossyCountMax: 100 }
    const log = createMemoryLog()
    const dropped: unknown[] = []
    const codec = createEventCodec(publishedSchemaIds(), { strict: false })
    const newId = (): string => 'id'
    const appender = createPaymentAppender({ log, codec, newId, onDropped: (count) => dropped.push(count), limits })
    const uses = createKeyUses({ appender, timers: createManualTimers(), now: () => 0, newId })
    for (let i = 0; i <= limits.lossyCountMax; i++) uses.note(key(`k${i}`, `m${i}`))
    appender.enqueue(sampleGatewayDecided())
    await uses.part.stop()
    await appender.close()
    const types: string[] = []
    for await (const records of log.read('payments', new Map())) types.push(...records.map(({ headers }) => headers.type))
    expect(dropped).toEqual([])
    expect(types.filter((type) => type.endsWith('GatewayDecided'))).toHaveLength(1)
    expect(types).toHaveLength(limits.lossyCountMax + 2)
  })
})
