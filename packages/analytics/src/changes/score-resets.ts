import { EVENT_CATALOGUE } from '@switchyard/events'
import type { DocumentProjection } from '@switchyard/kernel'
import { endedBy, keyPart } from '../keys.ts'
import type { RecordedPayment } from '../recorded-payment.ts'
import { type Change, NOTHING } from './change-journal.ts'

/** Resets of scores that somebody asked for, as changes: they stand in the order of the payments, not of the configuration. */
export const scoreResets: DocumentProjection<Change, RecordedPayment> = {
  name: 'score-resets-v1',
  endedBy,
  keysOf: ({ event: { type, data }, eventId }) =>
    type === 'GatewayScoresReset' && data.cause === 'REQUESTED' ? [[keyPart(data.merchantId), data.at, keyPart(eventId)]] : [],
  initialView: () => NOTHING,
  project: (_view, { event: { type, data }, eventId, actor = null }) => ({
    id: eventId,
    owner: data.merchantId,
    at: data.at,
    change: type,
    subject: EVENT_CATALOGUE[type].aggregate.kind,
    subjectId: null,
    actor,
    requestId: 'requestId' in data ? data.requestId : null,
    differences: [],
  }),
}
