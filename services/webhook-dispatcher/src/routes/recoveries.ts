import { checkValue, type Route, type RouteApi, type RouteReply } from '@switchyard/http'
import { ID_LENGTH_MAX } from '@switchyard/kernel'
import { EVENT_TYPES, RECOVERY_SPAN_MAX_MS, type Recovery } from '@switchyard/webhooks'
import * as z from 'zod'
import type { RecoveryWish } from '../operations.ts'
import { recovery } from './answer-schemas.ts'
import { eventTime } from './event-times.ts'
import { eventType } from './event-words.ts'
import { type EventRouteDeps, eventsReply, eventsRoute, merchantOf, originOf } from './events.ts'
import { firstProblem } from './first-problem.ts'
import { eventsError, printTime, printTimeOrNull } from './replies.ts'

const bodySchema = z.object({
  since: eventTime,
  until: eventTime.nullish(),
  profile_id: z.string().min(1).max(ID_LENGTH_MAX).nullish(),
  event_types: z.array(eventType).max(EVENT_TYPES.length).nullish(),
  only_undelivered: z.boolean().nullish(),
})

type Parsed = { readonly ok: true; readonly wish: RecoveryWish } | { readonly ok: false; readonly reply: RouteReply }

const wrong = (message: string): Parsed => ({ ok: false, reply: eventsError(422, 'IR_06', message) })

/** What a recovery is asked for (webhooks.md 9.4). */
export const parseRecovery = (asker: Pick<RecoveryWish, 'merchantId' | 'origin'>, sent: unknown, now: number): Parsed => {
  const parsed = checkValue(bodySchema, sent ?? {})
  if (!parsed.success) return wrong(firstProblem(parsed.error))
  const { since, until, profile_id, event_types, only_undelivered } = parsed.data
  const untilAt = until ?? now
  if (since > Math.min(untilAt, now)) return wrong('since must not be later than until, or than now')
  if (untilAt - since > RECOVERY_SPAN_MAX_MS) return wrong('since and until must be at most 14 days apart')
  const wish = {
    ...asker,
    sinceAt: since,
    untilAt,
    profileId: profile_id ?? null,
    eventTypes: event_types ?? [],
    onlyUndelivered: only_undelivered ?? true,
  }
  return { ok: true, wish }
}

const printRecovery = (task: Recovery): object => ({
  task_id: task.taskId,
  status: task.status,
  matched: task.matchedCount,
  attempted: task.attemptedCount,
  delivered: task.deliveredCount,
  failed: task.attemptedCount - task.deliveredCount,
  since: printTime(task.sinceAt),
  until: printTime(task.untilAt),
  created: printTime(task.startedAt),
  finished: printTimeOrNull(task.finishedAt),
})

const startApi: RouteApi = {
  summary: 'Deliver the events of a time span again',
  body: bodySchema,
  answer: recovery,
  status: 202,
  refusals: {
    404: 'The merchant or the profile is not known',
    409: 'A recovery of this merchant is running',
    422: 'The time span or the filter can not be recovered',
  },
}
const readApi: RouteApi = {
  summary: 'How far a recovery is',
  answer: recovery,
  refusals: { 404: 'The merchant or the recovery is not known' },
}

/** Sending the events of a time span again (webhooks.md 9.4). */
export const recoveryRoutes = ({ operations, now }: EventRouteDeps): readonly Route[] => [
  eventsRoute(['POST', '/recover', 'optional-json'], startApi, async (request) => {
    const parsed = parseRecovery({ merchantId: merchantOf(request), origin: originOf(request) }, request.body, now())
    return parsed.ok ? eventsReply(await operations.recover(parsed.wish), printRecovery, 202) : parsed.reply
  }),
  eventsRoute(['GET', '/recover/:taskId', 'none'], readApi, async (request) =>
    eventsReply(await operations.readRecovery({ merchantId: merchantOf(request), taskId: request.params['taskId'] ?? '' }), printRecovery),
  ),
]
