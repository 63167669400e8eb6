import type { Route, RouteReply, RouteRequest } from '@switchyard/http'
import { ID_LENGTH_MAX } from '@switchyard/kernel'
import { EVENT_TYPES, type EventType, isEventType, RECOVERY_SPAN_MAX_MS, type Recovery } from '@switchyard/webhooks'
import { z } from 'zod'
import type { RecoveryWish } from '../operations.ts'
import { type EventRouteDeps, eventsReply, eventsRoute, merchantOf, originOf } from './events.ts'
import { firstProblem } from './first-problem.ts'
import { eventsError, printTime, printTimeOrNull } from './replies.ts'

const time = z.iso.datetime({ offset: true }).transform(Date.parse)

const bodySchema = z.object({
  since: time,
  until: time.nullish(),
  profile_id: z.string().min(1).max(ID_LENGTH_MAX).nullish(),
  event_types: z
    .array(z.string().refine((text): text is EventType => isEventType(text), 'is not an event type'))
    .max(EVENT_TYPES.length)
    .nullish(),
  only_undelivered: z.boolean().nullish(),
})

type Parsed = { readonly ok: true; readonly wish: RecoveryWish } | { readonly ok: false; readonly reply: RouteReply }

const wrong = (message: string): Parsed => ({ ok: false, reply: eventsError(422, 'IR_06', message) })

const parseRecovery = (request: RouteRequest, now: number): Parsed => {
  const parsed = bodySchema.safeParse(request.body ?? {})
  if (!parsed.success) return wrong(firstProblem(parsed.error))
  const { since, until, profile_id, event_types, only_undelivered } = parsed.data
  const untilAt = until ?? now
  if (since > untilAt) return wrong('since must not be later than until')
  if (untilAt - since > RECOVERY_SPAN_MAX_MS) return wrong('since and until must be at most 14 days apart')
  const wish = {
    merchantId: merchantOf(request),
    sinceAt: since,
    untilAt,
    profileId: profile_id ?? null,
    eventTypes: event_types ?? [],
    onlyUndelivered: only_undelivered ?? true,
    origin: originOf(request),
  }
  return { ok: true, wish }
}

const printRecovery = (recovery: Recovery): object => ({
  task_id: recovery.taskId,
  status: recovery.status,
  matched: recovery.matchedCount,
  attempted: recovery.attemptedCount,
  delivered: recovery.deliveredCount,
  failed: recovery.attemptedCount - recovery.deliveredCount,
  since: printTime(recovery.sinceAt),
  until: printTime(recovery.untilAt),
  created: printTime(recovery.startedAt),
  finished: printTimeOrNull(recovery.finishedAt),
})

/** Sending the events of a time span again (webhooks.md 9.4). */
export const recoveryRoutes = ({ operations, now }: EventRouteDeps): readonly Route[] => [
  eventsRoute('POST', '/recover', 'optional-json', async (request) => {
    const parsed = parseRecovery(request, now())
    return parsed.ok ? eventsReply(await operations.recover(parsed.wish), printRecovery, 202) : parsed.reply
  }),
  eventsRoute('GET', '/recover/:taskId', 'none', async (request) =>
    eventsReply(await operations.readRecovery({ merchantId: merchantOf(request), taskId: request.params['taskId'] ?? '' }), printRecovery),
  ),
]
