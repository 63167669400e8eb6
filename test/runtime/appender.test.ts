import { describe, expect, test } from '@jest/globals'
import type { PaymentsEvent } from '@switchyard/events'
import type { EventLog, NewRecord, Position } from '@switchyard/kernel'
import { createMemoryLog, type MemoryLog } from '@switchyard/log-memory'
import { APPENDER_LIMITS, type AppenderLimits, createPaymentAppender, type PaymentAppender } from '@switchyard/runtime'
import { createManualTimers, type ManualTimers, turn, until } from './support/manual-timers.ts'
import { codec, idsOf, outcome } from './support/sample.ts'

const idOf = (value: Uint8Array): string => {
  const { data } = codec.decode(value)
  return 'requestId' in data ? data.requestId : ''
}

interface Stage {
  readonly log: MemoryLog
  readonly timers: ManualTimers
  readonly appender: PaymentAppender
  /** Request ids by append call. */
  readonly batches: string[][]
  readonly dropped: [number, unknown][]
}

const stage = (change: Partial<AppenderLimits> = {}, wrap: (log: EventLog) => EventLog = (log) => log): Stage => {
  const log = createMemoryLog({ partitionCount: 1 })
  const timers = createManualTimers()
  const batches: string[][] = []
  const dropped: [number, unknown][] = []
  const seen: EventLog = {
    ...log,
    append: (topic, records: readonly NewRecord[]) => {
      batches.push(records.map(({ value }) => idOf(value)))
      return log.append(topic, records)
    },
  }
  const appender = createPaymentAppender({
    log: wrap(seen),
    codec,
    newId: idsOf('e'),
    timers,
    limits: { ...APPENDER_LIMITS, ...change },
    onDropped: (count, cause) => void dropped.push([count, cause]),
  })
  return { log, timers, appender, batches, dropped }
}

const event = (requestId: string): PaymentsEvent => outcome('m_1', 'p_1', requestId)
const inLog = async (log: EventLog): Promise<readonly string[]> => {
  const ids: string[] = []
  for await (const records of log.read('payments', new Map())) ids.push(...records.map(({ value }) => idOf(value)))
  return ids
}
const codeOf = (promise: Promise<Position | readonly Position[]>): Promise<unknown> =>
  promise.then(
    () => 'appended',
    ({ code }) => code,
  )

describe('payment appender', () => {
  test('an acknowledged event goes at once and is answered with its position', async () => {
    const { appender, timers } = stage()
    expect(await appender.append(event('a'))).toEqual({ partition: 0, offset: 0 })
    expect(await appender.append(event('b'))).toEqual({ partition: 0, offset: 1 })
    expect(timers.now()).toBe(0)
  })

  test('what is asked for together goes in one batch, and what comes meanwhile in the next', async () => {
    const { appender, batches, log } = stage()
    log.faults.hold()
    const first = ['a', 'b'].map((id) => appender.append(event(id)))
    await until('the first batch', () => batches.length === 1)
    const later = ['c', 'd', 'e'].map((id) => appender.append(event(id)))
    log.faults.release()
    await Promise.all([...first, ...later])
    expect(batches).toEqual([
      ['a', 'b'],
      ['c', 'd', 'e'],
    ])
  })

  test('a decision waits a little for company, then goes alone', async () => {
    const { appender, batches, timers } = stage()
    appender.enqueue(event('a'))
    await turn()
    expect(batches).toEqual([])
    timers.advance(APPENDER_LIMITS.lingerMs)
    await until('the batch', () => appender.status().bufferedCount === 0)
    expect(batches).toEqual([['a']])
  })

  test('an outcome takes the decisions before it along, in order', async () => {
    const { appender, batches } = stage()
    appender.enqueue(event('decision'))
    await appender.append(event('outcome'))
    expect(batches).toEqual([['decision', 'outcome']])
  })

  test('a batch is bounded by count and by bytes', async () => {
    const byCount = stage({ batchCountMax: 2 })
    await Promise.all(['a', 'b', 'c'].map((id) => byCount.appender.append(event(id))))
    expect(byCount.batches).toEqual([['a', 'b'], ['c']])
    const byBytes = stage({ batchBytesMax: 1 })
    await Promise.all(['a', 'b'].map((id) => byBytes.appender.append(event(id))))
    expect(byBytes.batches).toEqual([['a'], ['b']])
  })

  test('the log is away for a while: the same batch is tried again, before anything later', async () => {
    const { appender, batches, log, timers } = stage()
    log.faults.failNextAppends(2)
    const first = appender.append(event('a'))
    await until('the first attempt', () => batches.length === 1)
    const second = appender.append(event('b'))
    await until('the retries', () => {
      timers.advance(50)
      return batches.length === 3
    })
    await Promise.all([first, second])
    expect(batches).toEqual([['a'], ['a'], ['a'], ['b']])
    expect(await inLog(log)).toEqual(['a', 'b'])
  })

  test('an answer that got lost repeats the record with the same id', async () => {
    const { appender, log, timers } = stage()
    log.faults.loseNextAnswers(1)
    const appended = appender.append(event('a'))
    await until('the answer', async () => {
      timers.advance(50)
      return (await Promise.race([appended.then(() => true), turn().then(() => false)])) === true
    })
    const ids: string[] = []
    for await (const records of log.read('payments', new Map())) ids.push(...records.map(({ headers }) => headers.id))
    expect(ids).toEqual(['e-1', 'e-1'])
  })

  test('the log stays away: acknowledged events are refused after the bound, decisions wait on', async () => {
    const { appender, log, timers, dropped } = stage()
    log.faults.failNextAppends(1_000)
    appender.enqueue(event('decision'))
    const answers = ['a', 'b'].map((id) => codeOf(appender.append(event(id))))
    await until('the bound', async () => {
      timers.advance(500)
      await turn()
      return timers.now() > APPENDER_LIMITS.awaitedMaxMs + 2_000
    })
    expect(await Promise.all(answers)).toEqual(['LOG_UNAVAILABLE', 'LOG_UNAVAILABLE'])
    expect(appender.status()).toMatchObject({ bufferedCount: 1, droppedCount: 0 })
    log.faults.failNextAppends(-1_000)
    await until('the decision', async () => {
      timers.advance(500)
      return (await inLog(log)).length > 0
    })
    expect(await inLog(log)).toEqual(['decision'])
    expect(dropped).toEqual([])
  })

  test('what was refused by its bound is left out of the next attempt, and whoever came later gets its own positions', async () => {
    const { appender, log, timers, batches } = stage()
    log.faults.failNextAppends(1_000)
    const early = codeOf(appender.append(event('a')))
    timers.advance(4_000)
    appender.enqueue(event('b'))
    const late = appender.appendAll([event('c'), event('d')])
    await until('the bound of the first', async () => {
      timers.advance(100)
      await turn()
      return timers.now() >= APPENDER_LIMITS.awaitedMaxMs
    })
    expect(await early).toBe('LOG_UNAVAILABLE')
    log.faults.failNextAppends(-1_000)
    await until('the others', async () => {
      timers.advance(100)
      return (await inLog(log)).length > 0
    })
    expect([batches[0], batches.at(-1)].map(String)).toEqual(['a,b,c,d', 'b,c,d'])
    expect((await late).map(({ offset }) => offset)).toEqual([1, 2])
  })

  test('a log that does not answer at all keeps nobody waiting beyond the bound', async () => {
    const { appender, timers } = stage({}, (log) => ({ ...log, append: () => new Promise(() => {}) }))
    const first = codeOf(appender.append(event('a')))
    await turn()
    const second = codeOf(appender.append(event('b')))
    await turn()
    timers.advance(APPENDER_LIMITS.awaitedMaxMs)
    expect(await Promise.all([first, second])).toEqual(['LOG_UNAVAILABLE', 'LOG_UNAVAILABLE'])
  })

  test('an overflow drops the oldest decisions and counts them; acknowledged events are refused instead', async () => {
    const { appender, log, batches, dropped } = stage({ lossyCountMax: 3, awaitedCountMax: 2 })
    log.faults.hold()
    const first = appender.append(event('first'))
    await until('the first batch', () => batches.length === 1)
    for (const id of ['d1', 'd2', 'd3']) appender.enqueue(event(id))
    const awaited = ['a1', 'a2'].map((id) => appender.append(event(id)))
    expect(await codeOf(appender.append(event('a3')))).toBe('APPEND_BUFFER_FULL')
    for (const id of ['d4', 'd5']) appender.enqueue(event(id))
    expect(appender.status()).toEqual({ bufferedCount: 6, bufferedCountMax: 5, droppedCount: 2 })
    log.faults.release()
    await Promise.all([first, ...awaited])
    await appender.close()
    expect(await inLog(log)).toEqual(['first', 'd3', 'a1', 'a2', 'd4', 'd5'])
    expect(dropped).toEqual([
      [1, undefined],
      [1, undefined],
    ])
  })

  test('a long overflow keeps the newest, in order', async () => {
    const { appender, log, batches } = stage({ lossyCountMax: 50 })
    log.faults.hold()
    const first = appender.append(event('first'))
    await until('the first batch', () => batches.length === 1)
    for (let i = 0; i < 5_000; i++) appender.enqueue(event(`d${i}`))
    expect(appender.status()).toMatchObject({ bufferedCount: 51, droppedCount: 4_950 })
    log.faults.release()
    await first
    await appender.close()
    expect(await inLog(log)).toEqual(['first', ...Array.from({ length: 50 }, (_, i) => `d${4_950 + i}`)])
  })

  test('events that were appended together stay together, in order with the others', async () => {
    const { appender, batches } = stage({ batchCountMax: 2 })
    appender.enqueue(event('decision'))
    const together = appender.appendAll(['a', 'b', 'c'].map(event))
    const alone = appender.append(event('d'))
    expect(await appender.appendAll([])).toEqual([])
    expect(await together).toEqual([1, 2, 3].map((offset) => ({ partition: 0, offset })))
    expect(await alone).toEqual({ partition: 0, offset: 4 })
    expect(batches).toEqual([['decision', 'a', 'b', 'c'], ['d']])
  })

  test('events that are appended together are refused together: as too many, and when the log stays away', async () => {
    const { appender, log, timers } = stage({ awaitedCountMax: 3, batchCountMax: 1 })
    log.faults.hold()
    const first = codeOf(appender.append(event('first')))
    await turn()
    const waiting = codeOf(appender.appendAll(['a', 'b'].map(event)))
    expect(await codeOf(appender.appendAll(['c', 'd'].map(event)))).toBe('APPEND_BUFFER_FULL')
    expect(appender.status().bufferedCount).toBe(3)
    timers.advance(APPENDER_LIMITS.awaitedMaxMs)
    expect(await Promise.all([first, waiting])).toEqual(['LOG_UNAVAILABLE', 'LOG_UNAVAILABLE'])
  })

  test('an event that does not fit its schema fails alone', async () => {
    const { appender, log, dropped, timers } = stage()
    const broken: PaymentsEvent = JSON.parse(JSON.stringify(event('x')).replace('"CHARGED"', '7'))
    const answers = await Promise.allSettled([appender.append(event('a')), appender.append(broken), appender.append(event('b'))])
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    appender.enqueue(broken)
    timers.advance(APPENDER_LIMITS.lingerMs)
    await until('the drop', () => dropped.length === 1)
    expect(await inLog(log)).toEqual(['a', 'b'])
  })

  test('closing flushes what waits and refuses the rest', async () => {
    const { appender, log, dropped } = stage()
    for (const id of ['a', 'b']) appender.enqueue(event(id))
    const closing = appender.close()
    expect(await codeOf(appender.append(event('late')))).toBe('LOG_CLOSED')
    appender.enqueue(event('late'))
    await closing
    expect(await inLog(log)).toEqual(['a', 'b'])
    expect(dropped).toEqual([[1, undefined]])
  })

  test('closing while the log is away ends within its bound, and everybody is told', async () => {
    const { appender, timers, dropped } = stage({ closeMaxMs: 100 }, (log) => ({ ...log, append: () => new Promise(() => {}) }))
    const answer = codeOf(appender.append(event('a')))
    await turn()
    for (const id of ['b', 'c']) appender.enqueue(event(id))
    const closing = appender.close()
    await turn()
    timers.advance(100)
    await closing
    expect(await answer).toBe('LOG_UNAVAILABLE')
    expect(appender.status()).toMatchObject({ bufferedCount: 0, droppedCount: 2 })
    expect(dropped).toEqual([[2, expect.objectContaining({ code: 'LOG_UNAVAILABLE' })]])
  })

  test('closing while decisions and outcomes are on their way gives each up once, and what comes late changes nothing', async () => {
    let answerLate = (): void => {}
    const answered = new Promise<void>((resolve) => (answerLate = resolve))
    const late: EventLog['append'] = () => answered.then(() => [])
    const { appender, timers, dropped } = stage({ closeMaxMs: 100 }, (log) => ({ ...log, append: late }))
    appender.enqueue(event('a'))
    const answer = codeOf(appender.append(event('b')))
    await turn()
    appender.enqueue(event('c'))
    const closing = appender.close()
    await turn()
    timers.advance(100)
    await closing
    answerLate()
    await turn()
    expect(await answer).toBe('LOG_UNAVAILABLE')
    expect(appender.status()).toMatchObject({ bufferedCount: 0, droppedCount: 2 })
    expect(dropped.reduce((sum, [count]) => sum + count, 0)).toBe(2)
  })
})
