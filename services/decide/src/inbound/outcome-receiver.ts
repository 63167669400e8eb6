import { createInboxReceiver, type InboxReceiverDependencies } from '@switchyard/composition'
import type { LogRecord } from '@switchyard/kernel'
import type { Part } from '@switchyard/runtime'
import type { ReadReport } from './read-report.ts'
import { createRecordReports, type RecordReportsDependencies } from './record-reports.ts'

/** What {@link createOutcomeReceiver} needs. */
export interface OutcomeReceiverDependencies
  extends Pick<RecordReportsDependencies, 'states' | 'appender' | 'now' | 'outcomeEventOf' | 'learnSchemas'>,
    Pick<InboxReceiverDependencies, 'openInbox' | 'voices'> {
  readonly read: (record: LogRecord) => ReadReport
}

/** Topic by which others report outcomes. */
export const OUTCOME_INBOX = 'outcomes-inbound'

/** Receives what others report by the topic {@link OUTCOME_INBOX}, and tells of reports that it set aside. */
export const createOutcomeReceiver = ({ openInbox, voices, ...tools }: OutcomeReceiverDependencies): Part =>
  createInboxReceiver({
    name: OUTCOME_INBOX,
    nouns: 'reports',
    openInbox,
    voices,
    handlerUntil: (signal) =>
      createRecordReports({
        ...tools,
        signal,
        onFault: (error) => voices.report.failed(`a report of ${OUTCOME_INBOX} could not be recorded`, error),
      }),
  })
