import type { EventDetail, EventRow, Exchanged } from '../operations.ts'
import { printTime } from './replies.ts'

/** The ten fields of a list item (interface, Event record). */
export const printRow = (row: EventRow): object => ({
  event_id: row.eventId,
  merchant_id: row.merchantId,
  profile_id: row.profileId,
  object_id: row.objectId,
  event_type: row.eventType,
  event_class: row.eventClass,
  is_delivery_successful: row.isDelivered,
  initial_attempt_id: row.initialAttemptId,
  processor_merchant_id: row.processorMerchantId,
  created: printTime(row.createdAt),
})

/** What was sent and answered. */
export const printExchanged = ({ request, response }: Exchanged): { readonly request: object; readonly response: object } => ({
  request: { body: request.body, headers: request.headers },
  response: {
    body: response.body,
    headers: response.headers,
    status_code: response.statusCode,
    error_message: response.errorMessage,
  },
})

/** The retrieve shape (interface, Retrieve/retry response). */
export const printDetail = (detail: EventDetail): object => ({
  ...printRow(detail),
  ...printExchanged(detail),
  delivery_attempt: detail.kind,
})
