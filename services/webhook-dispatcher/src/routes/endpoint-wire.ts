import { type ParsedBody, parseBody, withFewMembers, wrongShape } from '@switchyard/http'
import {
  customHeadersFault,
  EVENT_TYPES,
  MASKED_VALUE,
  SCHEDULE_STEPS_MAX,
  STEP_SECONDS_MAX,
  secretFault,
  URL_LENGTH_MAX,
} from '@switchyard/webhooks'
import * as z from 'zod'
import type { EndpointView, EndpointWish } from '../operations.ts'
import { eventType } from './event-words.ts'
import { printTime, printTimeOrNull } from './replies.ts'

const PER_SECOND_MAX = 10_000
const GRACE_SECONDS_MAX = 604_800
const GRACE_SECONDS_DEFAULT = 86_400
const SECRET_TEXT_MAX = 256
const TIMEOUT_SECONDS_DEFAULT = 15
const CONCURRENCY_DEFAULT = 8

const secret = z
  .string()
  .max(SECRET_TEXT_MAX)
  .superRefine((text, context) => {
    const fault = secretFault(text)
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault })
  })

/** Headers that are even looked at. */
const READ_HEADERS_MAX = 100

const configureBody = z.object({
  webhook_url: z.string().min(1).max(URL_LENGTH_MAX),
  secret: secret.nullish(),
  custom_headers: withFewMembers(z.record(z.string(), z.string()), READ_HEADERS_MAX).nullish(),
  event_types: z.array(eventType).max(EVENT_TYPES.length).nullish(),
  enabled: z
    .boolean()
    .nullish()
    .transform((value) => value ?? true),
  timeout_seconds: z
    .int()
    .min(1)
    .max(30)
    .nullish()
    .transform((value) => value ?? TIMEOUT_SECONDS_DEFAULT),
  max_concurrency: z
    .int()
    .min(1)
    .max(64)
    .nullish()
    .transform((value) => value ?? CONCURRENCY_DEFAULT),
  max_per_second: z.int().min(1).max(PER_SECOND_MAX).nullish(),
  retry_delays_seconds: z.array(z.int().min(1).max(STEP_SECONDS_MAX)).min(1).max(SCHEDULE_STEPS_MAX).nullish(),
})

/** What configuring an endpoint takes, for the API's description. */
export const endpointRequest: z.ZodType = configureBody

/** The settings of an endpoint (webhooks.md 9.1), with their defaults. */
export const parseEndpoint = (body: unknown): ParsedBody<EndpointWish> => {
  const parsed = parseBody(configureBody, body)
  if (!parsed.ok) return parsed
  const { value } = parsed
  const customHeaders = value.custom_headers ?? {}
  const fault = customHeadersFault(customHeaders)
  if (fault !== undefined) return { ok: false, reply: wrongShape('custom_headers', fault.replace(/^custom_headers: /, '')) }
  return {
    ok: true,
    value: {
      url: value.webhook_url,
      secret: value.secret ?? null,
      customHeaders,
      eventTypes: value.event_types ?? null,
      isEnabled: value.enabled,
      timeoutSeconds: value.timeout_seconds,
      maxConcurrencyCount: value.max_concurrency,
      maxPerSecondCount: value.max_per_second ?? null,
      retryDelaysSeconds: value.retry_delays_seconds ?? null,
    },
  }
}

const rotateBody = z.object({
  secret: secret.nullish(),
  grace_period_seconds: z.int().min(0).max(GRACE_SECONDS_MAX).nullish(),
})

/** What a rotation takes, for the API's description. */
export const rotationRequest: z.ZodType = rotateBody

/** What a rotation is asked for; the grace in milliseconds. */
export const parseRotation = (body: unknown): ParsedBody<{ readonly secret: string | null; readonly graceMs: number }> => {
  const parsed = parseBody(rotateBody, body ?? {})
  if (!parsed.ok) return parsed
  const graceSeconds = parsed.value.grace_period_seconds ?? GRACE_SECONDS_DEFAULT
  return { ok: true, value: { secret: parsed.value.secret ?? null, graceMs: graceSeconds * 1_000 } }
}

/** An endpoint as it is read; header values are never shown, the secret only when it was just generated. */
export const printEndpoint = ({ endpoint, secretHint, firstFailureAt, generatedSecret }: EndpointView): object => ({
  profile_id: endpoint.profileId,
  webhook_url: endpoint.url,
  secret: generatedSecret ?? secretHint,
  custom_headers: Object.fromEntries(endpoint.customHeaderNames.map((name) => [name, MASKED_VALUE])),
  event_types: endpoint.eventTypes,
  enabled: endpoint.status === 'active',
  timeout_seconds: endpoint.timeoutSeconds,
  max_concurrency: endpoint.maxConcurrencyCount,
  max_per_second: endpoint.maxPerSecondCount,
  retry_delays_seconds: endpoint.retryDelaysSeconds,
  status: endpoint.status,
  disabled_at: printTimeOrNull(endpoint.disabledAt),
  first_failure_at: printTimeOrNull(firstFailureAt),
  created: printTime(endpoint.createdAt),
  updated: printTime(endpoint.updatedAt),
})
