import { EVENT_CLASSES, EVENT_TYPES } from '@switchyard/webhooks'
import * as z from 'zod'

const text = z.string()
const textOrNull = z.string().nullable()
const time = z.iso.datetime()
const count = z.int().min(0)
const headerList = z.array(z.tuple([text, text]))

const row = {
  event_id: text,
  merchant_id: text,
  profile_id: text,
  object_id: text,
  event_type: z.enum(EVENT_TYPES),
  event_class: z.enum(EVENT_CLASSES),
  is_delivery_successful: z.boolean().nullable(),
  initial_attempt_id: text,
  processor_merchant_id: textOrNull,
  created: time,
}

const exchange = {
  request: z.object({ body: text, headers: headerList }),
  response: z.object({
    body: textOrNull,
    headers: headerList.nullable(),
    status_code: z.int().nullable(),
    error_message: textOrNull,
  }),
}

/** What the routes of webhooks answer when all went well (webhooks.md 3 and 9); for the API's description. */
export const eventDetail: z.ZodType = z.object({ ...row, ...exchange, delivery_attempt: text })
export const eventDetails: z.ZodType = z.array(z.object({ ...row, ...exchange, delivery_attempt: text }))
export const eventList: z.ZodType = z.object({
  events: z.array(z.object(row)),
  total_count: count,
  total_count_is_minimum: z.literal(true).optional(),
})

export const submittedEvent: z.ZodType = z.union([z.object({ ...row, duplicate: z.boolean() }), z.object({ filtered: z.literal(true) })])

export const recovery: z.ZodType = z.object({
  task_id: text,
  status: text,
  matched: count,
  attempted: count,
  delivered: count,
  failed: count,
  since: time,
  until: time,
  created: time,
  finished: time.nullable(),
})

export const endpoint: z.ZodType = z.object({
  profile_id: text,
  webhook_url: text,
  secret: textOrNull,
  custom_headers: z.record(text, text),
  event_types: z.array(z.enum(EVENT_TYPES)).nullable(),
  enabled: z.boolean(),
  timeout_seconds: z.int(),
  max_concurrency: z.int(),
  max_per_second: z.int().nullable(),
  retry_delays_seconds: z.array(z.int()).nullable(),
  status: text,
  disabled_at: time.nullable(),
  first_failure_at: time.nullable(),
  created: time,
  updated: time,
})

export const rotatedSecret: z.ZodType = z.object({ secret: textOrNull, previous_valid_until: time })
export const testDelivery: z.ZodType = z.object(exchange)
