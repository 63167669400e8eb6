import { describe, expect, test } from '@jest/globals'
import { createMetrics } from '@switchyard/composition'
import { publishedSchemaIds } from '@switchyard/events'
import { type DeadRecord, type Inbox, type LogRecord, OperatingError, type ReceiveOptions } from '@switchyard/kernel'
import { createGatewayErrorTable, successRateScoring } from '@switchyard/routing'
import { createOutcomeEventOf } from '../outcome-event.ts'
import { outcomeBody } from '../sample-service.fixture.ts'
import { inboundRecord } from './inbound-record.fixture.ts'
import { createOutcomeReceiver, type OutcomeReceiverDependencies } from './outcome-receiver.ts'
import { createReadReport } from './read-report.ts'

/** An inbox that a test fills by hand, and that notes what became of it. */
const inboxByHand = () => {
  const steps: string[] = []
  let given: ReceiveOptions | undefined
  let handling: Promise<unknown> = Promise.resolve()
  const inbox: Inbox = {
    receive: (options) => {
      given = options
      return {
        stop: async () => {
          await handling.catch(() => {})
          steps.push('stopped')
        },
      }
    },
    lagCount: () => Promise.resolve(3),
    close: () => void steps.push('closed'),
  }
  return {
    inbox,
    steps,
    options: () => given,
    give: (...records: readonly LogRecord[]): Promise<readonly DeadRecord[]> => {
      const handled = given?.handle(records) ?? Promise.reject(new Error('nobody receives'))
      handling = handled
      return handled
    },
  }
}

const receiver = (changes: Partial<OutcomeReceiverDependencies> = {}) => {
  const byHand = inboxByHand()
  const told: string[] = []
  const metrics = createMetrics('thread')
  const states: OutcomeReceiverDependencies['states'] = {
    stateOf: <State>(slice: { readonly name: string; readonly initialState: State }): State =>
      slice.name === successRateScoring.name ? { ...slice.initialState, registered: true } : slice.initialState,
    readIndex: () => Promise.resolve(),
  }
  const part = createOutcomeReceiver({
    states,
    now: () => 1_000,
    outcomeEventOf: createOutcomeEventOf(states, createGatewayErrorTable([])),
    read: createReadReport(publishedSchemaIds()),
    learnSchemas: () => Promise.resolve(),
    appender: { append: () => Promise.resolve({ partition: 0, offset: 0 }) },
    openInbox: () => Promise.resolve(byHand.inbox),
    voices: {
      report: {
        info: (text) => void told.push(text),
        failed: (text, error) => void told.push(`${text}: ${error instanceof Error ? error.message : String(error)}`),
      },
      onFailure: () => void told.push('the process ends'),
      metrics,
    },
    ...changes,
  })
  return { ...byHand, part, told, metrics }
}

/** An attempt that always fails, and word of the second one. */
const failingTwice = (failure: Error): { readonly attempt: () => Promise<never>; readonly tried: Promise<void> } => {
  let count = 0
  let resolveTried = (): void => {}
  const tried = new Promise<void>((resolve) => {
    resolveTried = resolve
  })
  const attempt = (): Promise<never> => {
    if (++count === 2) resolveTried()
    return Promise.reject(failure)
  }
  return { attempt, tried }
}

describe('the receiver of outcomes', () => {
  test('tells how many reports were set aside, and why the last one was, without what it said', async () => {
    const { part, give, told } = receiver()
    await part.start(new AbortController().signal)
    const records = [inboundRecord({ merchantId: 'm_9' }), inboundRecord(outcomeBody(), { key: 'secret', offset: 7 })]
    expect(await give(...records, inboundRecord(outcomeBody(), { offset: 8 }))).toHaveLength(2)
    await part.stop()
    expect(told).toEqual([
      '2 reports of outcomes-inbound were set aside; the last one: partition 1, offset 7: KEY_MISMATCH: the key of the message must be the merchantId of the report',
    ])
  })

  test('how many reports are still to be recorded is in the metrics', async () => {
    const { part, metrics } = receiver()
    await part.start(new AbortController().signal)
    expect(await metrics.text()).toContain('inbox_lag_records{topic="outcomes-inbound"} 3')
    await part.stop()
  })

  test('tells of reports that were deleted unread', async () => {
    const { part, options, told } = receiver()
    await part.start(new AbortController().signal)
    options()?.onMissed({ partition: 2, count: 9 })
    await part.stop()
    expect(told[0]).toContain('9 reports of outcomes-inbound, partition 2, were deleted before they were read')
  })

  test('stops while the log is away: what waits is left to be given again', async () => {
    const away = new OperatingError('LOG_UNAVAILABLE', 'the log is away', { retryable: true })
    const { attempt: append, tried } = failingTwice(away)
    const { part, give, steps } = receiver({ appender: { append } })
    await part.start(new AbortController().signal)
    const given = give(inboundRecord(outcomeBody()))
    given.catch(() => {})
    await tried
    await part.stop()
    await expect(given).rejects.toBe(away)
    expect(steps).toEqual(['stopped', 'closed'])
  })

  test('waits for brokers that are away at the start, and can be stopped meanwhile', async () => {
    const away = new OperatingError('LOG_UNAVAILABLE', 'the brokers are away', { retryable: true })
    const { attempt: openInbox, tried } = failingTwice(away)
    const { part, told } = receiver({ openInbox })
    const starting = new AbortController()
    const started = part.start(starting.signal)
    started.catch(() => {})
    await tried
    starting.abort()
    await part.stop()
    await expect(started).rejects.toBe(away)
    expect(told[0]).toContain('the topic outcomes-inbound does not answer; the start waits for it')
  })
})
