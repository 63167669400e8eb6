import { type CostsEvent, EVENT_CATALOGUE } from '@switchyard/events'
import type { CollectionSpec, DocumentProjection, Position } from '@switchyard/kernel'
import { keyPart } from '../keys.ts'
import { type Change, NOTHING } from './change-journal.ts'
import { type Difference, differencesOf } from './differences.ts'

/** An event of the topic `costs` with what its record says of its cause. */
export interface RecordedReport {
  readonly event: CostsEvent
  readonly position: Position
  readonly eventId: string
  readonly actor: string | null
  readonly requestId: string | null
}

/** Reports also come by themselves: only what somebody sent or deleted is a change. */
const SOMEBODY = /^(user|key):|^admin$/

const isChange = ({ event: { type }, actor }: RecordedReport): boolean =>
  (type === 'SettlementReportAccepted' || type === 'IngestionDeleted') && actor !== null && SOMEBODY.test(actor)

const SUBJECT = 'settlement-report'

const differences = ({ type, data }: CostsEvent): readonly Difference[] => {
  switch (type) {
    case 'SettlementReportAccepted':
      return differencesOf(SUBJECT, {}, { connector: data.connector, account: data.account, byteCount: data.byteCount })
    case 'IngestionDeleted':
      return differencesOf(SUBJECT, { connector: data.connector, account: data.account }, {})
    default:
      return []
  }
}

const NAME = 'report-changes-v1'

/** Settlement reports that somebody sent or deleted, as changes: they stand in the order of the costs, not of the configuration. */
export const reportChanges: DocumentProjection<Change, RecordedReport> = {
  name: NAME,
  keysOf: (record) => {
    const { merchantId, at } = record.event.data
    return isChange(record) ? [[keyPart(merchantId), at, keyPart(record.eventId)]] : []
  },
  initialView: () => NOTHING,
  project: (_view, { event, eventId, actor, requestId }) => ({
    id: eventId,
    owner: event.data.merchantId,
    at: event.data.at,
    change: event.type,
    subject: EVENT_CATALOGUE[event.type].aggregate.kind,
    subjectId: 'ingestionId' in event.data ? event.data.ingestionId : null,
    actor,
    requestId,
    differences: differences(event),
  }),
}

/** The collection of {@link reportChanges}. */
export const reportChangesCollection: CollectionSpec = { name: NAME, indexes: [] }
