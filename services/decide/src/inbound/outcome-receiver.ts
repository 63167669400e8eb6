import { createTally, startPatiently, type Voices } from '@switchyard/composition'
import { assert, type DeadRecord, type Inbox, type LogRecord, type Subscription } from '@switchyard/kernel'
import type { Part } from '@switchyard/runtime'
import type { ReadReport } from './read-report.ts'
import { createRecordReports, type RecordReportsDependencies } from './record-reports.ts'

/** What {@link createOutcomeReceiver} needs. */
export interface OutcomeReceiverDependencies
  extends Pick<RecordReportsDependencies, 'states' | 'appender' | 'now' | 'outcomeEventOf' | 'learnSchemas'> {
  /** Rejects with a retryable failure while the servers are away. */
  readonly openInbox: () => Promise<Inbox>
  readonly read: (record: LogRecord) => ReadReport
  readonly voices: Pick<Voices, 'report' | 'onFailure'>
}

/** What a person is told of reports that were set aside. */
const reasonOf = ({ record: { position }, reason, message }: DeadRecord): Error =>
  new Error(`partition ${position.partition}, offset ${position.offset}: ${reason}: ${message}`)

/** Receives what others report by the topic `outcomes-inbound`, and tells of reports that it set aside. */
export const createOutcomeReceiver = (dependencies: OutcomeReceiverDependencies): Part => {
  const { openInbox, voices, ...tools } = dependencies
  const { report, onFailure } = voices
  const ending = new AbortController()
  const dead = createTally((count, cause) => report.failed(`${count} reports of outcomes-inbound were set aside; the last one`, cause))
  let inbox: Inbox | undefined
  let subscription: Subscription | undefined

  const record = createRecordReports({
    ...tools,
    signal: ending.signal,
    onFault: (error) => report.failed('a report of outcomes-inbound could not be recorded', error),
  })

  const handle = async (records: readonly LogRecord[]): Promise<readonly DeadRecord[]> => {
    const setAside = await record(records)
    const last = setAside.at(-1)
    if (last !== undefined) dead.add(setAside.length, reasonOf(last))
    return setAside
  }

  return {
    name: 'outcomes-inbound',
    start: async (signal) => {
      assert(inbox === undefined, 'a part is started once')
      inbox = await startPatiently({ what: 'the topic outcomes-inbound', start: openInbox, report, signal })
      subscription = inbox.receive({
        handle,
        onMissed: ({ partition, count }) =>
          report.failed(`${count} reports of outcomes-inbound, partition ${partition}, were deleted before they were read`, undefined),
        onFailure,
      })
    },
    stop: async () => {
      const stopped = subscription?.stop()
      ending.abort()
      await stopped
      inbox?.close()
      dead.flush()
    },
  }
}
