import { printExactly } from '@switchyard/http'
import { ID_LENGTH_MAX } from '@switchyard/kernel'
import { classOf, type EventType } from '@switchyard/webhooks'
import * as z from 'zod'
import type { Submission } from '../operations.ts'
import { DEFAULT_PROFILE } from '../reads/list-events.ts'
import { eventTime } from './event-times.ts'
import { eventType } from './event-words.ts'

/** An event as it is submitted, checked field by field; `occurred_at` is epoch milliseconds. */
interface SubmissionBody {
  readonly event_type: EventType
  readonly object_id: string
  readonly content: Readonly<Record<string, unknown>>
  readonly event_class?: string | null | undefined
  readonly profile_id?: string | null | undefined
  readonly processor_merchant_id?: string | null | undefined
  readonly occurred_at?: number | null | undefined
}

const id = z.string().min(1).max(ID_LENGTH_MAX)

/** {@link SubmissionBody} as JSON, by HTTP and by a topic (webhooks.md 9.2). */
export const submissionBody: z.ZodType<SubmissionBody> = z.object({
  event_type: eventType,
  object_id: id,
  content: z.record(z.string(), z.unknown()),
  event_class: z.string().nullish(),
  profile_id: id.nullish(),
  processor_merchant_id: id.nullish(),
  occurred_at: eventTime.nullish(),
})

/** What is wrong with the class that was named; undefined when nothing is. */
export const classFault = ({ event_class: named, event_type: type }: SubmissionBody): string | undefined =>
  typeof named === 'string' && named !== classOf(type) ? `the class of ${type} is ${classOf(type)}` : undefined

/** What the body says of a submission. */
export const submittedOf = (body: SubmissionBody): Omit<Submission, 'merchantId' | 'idempotencyKey' | 'origin'> => ({
  profileId: body.profile_id ?? DEFAULT_PROFILE,
  eventType: body.event_type,
  objectId: body.object_id,
  content: printExactly(body.content),
  processorMerchantId: body.processor_merchant_id ?? null,
  occurredAt: body.occurred_at ?? null,
})
