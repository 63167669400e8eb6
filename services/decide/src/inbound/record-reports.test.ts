import { describe, expect, test } from '@jest/globals'
import { type PaymentsEvent, publishedSchemaIds } from '@switchyard/events'
import { type LogRecord, OperatingError } from '@switchyard/kernel'
import { createGatewayErrorTable, successRateScoring } from '@switchyard/routing'
import { createOutcomeEventOf } from '../outcome-event.ts'
import { outcomeBody } from '../sample-service.fixture.ts'
import { inboundRecord } from './inbound-record.fixture.ts'
import { createReadReport } from './read-report.ts'
import { createRecordReports, type RecordReportsDependencies } from './record-reports.ts'

const away = new OperatingError('LOG_UNAVAILABLE', 'the log is away', { retryable: true })

/** A recorder that knows the merchant `m_9`, with all that it appended. */
const recorder = (changes: Partial<RecordReportsDependencies> = {}) => {
  const appended: PaymentsEvent[] = []
  const faults: unknown[] = []
  const ending = new AbortController()
  const states: RecordReportsDependencies['states'] = {
    stateOf: <State>(slice: { readonly name: string; readonly initialState: State }, merchantId: string): State =>
      slice.name === successRateScoring.name ? { ...slice.initialState, registered: merchantId === 'm_9' } : slice.initialState,
    readIndex: () => Promise.resolve(),
  }
  const handle = createRecordReports({
    states,
    now: () => 1_000,
    outcomeEventOf: createOutcomeEventOf(states, createGatewayErrorTable([])),
    read: createReadReport(publishedSchemaIds()),
    learnSchemas: () => Promise.resolve(),
    onFault: (error) => faults.push(error),
    signal: ending.signal,
    appender: {
      append: (event) => {
        appended.push(event)
        return Promise.resolve({ partition: 0, offset: appended.length - 1 })
      },
    },
    ...changes,
  })
  return { handle, appended, faults, end: () => ending.abort() }
}

const reports = (count: number): readonly LogRecord[] =>
  Array.from({ length: count }, (_, offset) => inboundRecord(outcomeBody({ paymentId: `p_${offset}` }), { offset }))
const paymentsOf = (events: readonly PaymentsEvent[]): readonly unknown[] =>
  events.map(({ data }) => ('paymentId' in data ? data.paymentId : undefined))

describe('reports of the topic', () => {
  test('are recorded in their order, each with the place it came from', async () => {
    const { handle, appended } = recorder()
    expect(await handle(reports(250))).toEqual([])
    expect(paymentsOf(appended)).toEqual(Array.from({ length: 250 }, (_, offset) => `p_${offset}`))
    expect(appended[7]?.data).toMatchObject({ requestId: 'outcomes-inbound-1-7', at: 1_000, upload: null })
  })

  test('one that is bad, and one of nobody, are given back with the reason; the others are recorded', async () => {
    const { handle, appended } = recorder()
    const [first, last] = [inboundRecord(outcomeBody()), inboundRecord(outcomeBody({ paymentId: 'p_78' }), { offset: 3 })]
    const bad = inboundRecord({ merchantId: 'm_9' }, { offset: 1 })
    const nobody = inboundRecord(outcomeBody({ merchantId: 'm_1' }), { key: 'm_1', offset: 2 })
    expect(await handle([first, bad, nobody, last])).toEqual([
      { record: bad, reason: 'INVALID_INPUT', message: 'missing field `gateway`' },
      { record: nobody, reason: 'MERCHANT_NOT_FOUND', message: 'merchantId: there is no such merchant' },
    ])
    expect(paymentsOf(appended)).toEqual(['p_77', 'p_78'])
  })

  test('a log that is away is waited for, and nothing is given back because of it', async () => {
    let failures = 2
    const appended: PaymentsEvent[] = []
    const { handle } = recorder({
      appender: {
        append: (event) => {
          if (failures-- > 0) return Promise.reject(away)
          appended.push(event)
          return Promise.resolve({ partition: 0, offset: 0 })
        },
      },
    })
    expect(await handle(reports(1))).toEqual([])
    expect(paymentsOf(appended)).toEqual(['p_0'])
  })

  test('a registry that is away is waited for', async () => {
    let failures = 1
    const learnSchemas = (): Promise<void> =>
      failures-- > 0
        ? Promise.reject(new OperatingError('SCHEMA_UNAVAILABLE', 'the registry is away', { retryable: true }))
        : Promise.resolve()
    const { handle, appended } = recorder({ learnSchemas })
    expect(await handle(reports(1))).toEqual([])
    expect(appended).toHaveLength(1)
  })

  test('the end ends the waiting, without anything being given back', async () => {
    const { handle, end } = recorder({
      appender: {
        append: () => {
          end()
          return Promise.reject(away)
        },
      },
    })
    await expect(handle(reports(1))).rejects.toBe(away)
  })

  test('a log that is lost ends the receiving', async () => {
    const lost = new OperatingError('LOG_LOST', 'the log is gone', { retryable: false })
    const { handle } = recorder({ appender: { append: () => Promise.reject(lost) } })
    await expect(handle(reports(1))).rejects.toBe(lost)
  })

  test('a fault of this release sets one report aside and is told', async () => {
    const fault = new Error('a bug')
    const { handle, appended, faults } = recorder({
      read: (record) => {
        if (record.position.offset === 1) throw fault
        return createReadReport(publishedSchemaIds())(record)
      },
    })
    expect(await handle(reports(3))).toMatchObject([{ record: { position: { offset: 1 } }, reason: 'INTERNAL_ERROR' }])
    expect(paymentsOf(appended)).toEqual(['p_0', 'p_2'])
    expect(faults).toEqual([fault])
  })
})
