import { setImmediate as nextTurn } from 'node:timers/promises'
import { type DeadRecord, isOperatingError, type LogRecord } from '@switchyard/kernel'
import { retry, systemTimers } from '@switchyard/runtime'
import type { DecideServiceDependencies } from '../dependencies.ts'
import { INBOUND_GROUP_COUNT, INBOUND_GROUPS_IN_FLIGHT_MAX } from '../limits.ts'
import type { OutcomeEventOf } from '../outcome-event.ts'
import { isRegisteredMerchant } from '../registered-merchant.ts'
import type { OutcomeBody } from '../routes/parse-outcome.ts'
import { inOrder } from '../uploads/in-order.ts'
import { type DeadReport, dead } from './dead-reports.ts'
import type { ReadReport } from './read-report.ts'

/** What reports of a topic are recorded with. */
export interface RecordReportsDependencies extends Pick<DecideServiceDependencies, 'states' | 'now'> {
  readonly appender: Pick<DecideServiceDependencies['appender'], 'append'>
  readonly outcomeEventOf: OutcomeEventOf
  readonly read: (record: LogRecord) => ReadReport
  /** Learns the schemas that these records name; rejects with a retryable failure while the registry is away. */
  readonly learnSchemas: (records: readonly LogRecord[]) => Promise<void>
  /** Hears of reports that were set aside because of a fault of this release. */
  readonly onFault: (error: unknown) => void
  /** Ends the waiting for what is away. */
  readonly signal: AbortSignal
}

const NOT_RECORDED = dead('INTERNAL_ERROR', 'the report could not be recorded; the log of the process says why')

/** Small enough not to hold up decisions. */
const groupsOf = async function* (records: readonly LogRecord[]): AsyncGenerator<readonly LogRecord[]> {
  for (let start = 0; start < records.length; start += INBOUND_GROUP_COUNT) {
    yield records.slice(start, start + INBOUND_GROUP_COUNT)
    await nextTurn()
  }
}

/**
 * Records reports of a topic. Resolves when every one of them is durable, or among those that are given back to be set aside: one
 * bad report holds up nothing. What is away is waited for, as long as it takes. A report that comes again is recorded again
 * and counts once: the fold knows its payment and gateway (decide.md 6.5).
 */
export const createRecordReports = (dependencies: RecordReportsDependencies) => {
  const { states, appender, now, outcomeEventOf, read, learnSchemas, onFault, signal } = dependencies

  const patiently = <Value>(task: () => Promise<Value>): Promise<Value> =>
    retry(task, { isTransient: (error) => isOperatingError(error) && error.retryable, timers: systemTimers, signal })

  const append = async (outcome: OutcomeBody, { partition, offset }: LogRecord['position']): Promise<DeadReport | undefined> => {
    if (!(await patiently(() => isRegisteredMerchant(states, outcome.merchantId))))
      return dead('MERCHANT_NOT_FOUND', 'merchantId: there is no such merchant')
    const requestId = `outcomes-inbound-${partition}-${offset}`
    await patiently(() => appender.append(outcomeEventOf(outcome, { requestId, at: now(), upload: null })))
    return undefined
  }

  const record = async (entry: LogRecord): Promise<DeadReport | undefined> => {
    try {
      const { outcome, problem } = read(entry)
      return problem ?? (await append(outcome, entry.position))
    } catch (error) {
      if (isOperatingError(error)) throw error
      // The same report would fail again, and with it every one behind it.
      onFault(error)
      return NOT_RECORDED
    }
  }

  const recordGroup = async (group: readonly LogRecord[]): Promise<readonly DeadRecord[]> => {
    const problems = await Promise.all(group.map(record))
    return group.flatMap((entry, index) => {
      const problem = problems[index]
      return problem === undefined ? [] : [{ record: entry, ...problem }]
    })
  }

  return async (records: readonly LogRecord[]): Promise<readonly DeadRecord[]> => {
    await patiently(() => learnSchemas(records))
    const found: DeadRecord[] = []
    for await (const group of inOrder(groupsOf(records), recordGroup, INBOUND_GROUPS_IN_FLIGHT_MAX)) found.push(...group)
    return found
  }
}
