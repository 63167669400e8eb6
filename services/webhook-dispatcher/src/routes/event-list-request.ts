import { checkValue, type RouteReply } from '@switchyard/http'
import { ID_LENGTH_MAX } from '@switchyard/kernel'
import { EVENT_CLASSES, EVENT_TYPES, type EventType, LIST_LIMIT_MAX, LIST_WINDOW_DAYS, wantedTypes } from '@switchyard/webhooks'
import * as z from 'zod'
import type { EventFilter } from '../operations.ts'
import { listTime } from './event-times.ts'
import { eventClass, eventType } from './event-words.ts'
import { firstProblem } from './first-problem.ts'
import { eventsError } from './replies.ts'

const OFFSET_MAX = 2 ** 31 - 1
const LIMIT_WIRE_MAX = 65_535
const DAY_MS = 86_400_000
/** Rows of a list by object, which has no pages. */
const OBJECT_LIST_MAX = 1_000
/** Not now: what was accepted by a clock that is ahead of this one, or was before it was set back, is listed too. */
const NO_END = Number.MAX_SAFE_INTEGER

const id = z.string().min(1).max(ID_LENGTH_MAX)

const listSchema = z.object({
  created_after: listTime.nullish(),
  created_before: listTime.nullish(),
  limit: z.int().min(0).max(LIMIT_WIRE_MAX).nullish(),
  offset: z.int().min(0).max(OFFSET_MAX).nullish(),
  object_id: id.nullish(),
  event_id: id.nullish(),
  profile_id: id.nullish(),
  event_classes: z
    .array(eventClass)
    .max(EVENT_CLASSES.length * 2)
    .nullish(),
  event_types: z
    .array(eventType)
    .max(EVENT_TYPES.length * 2)
    .nullish(),
  is_delivered: z.boolean().nullish(),
})

/** What a list may ask for, as a body and as a query; for the API's description. */
export const listRequest: z.ZodType = listSchema
export const listQuery: Readonly<Record<string, z.ZodType>> = listSchema.shape

type ListBody = z.output<typeof listSchema>

/** A filter, or the answer to one that is not valid. */
type Parsed = { readonly ok: true; readonly filter: EventFilter } | { readonly ok: false; readonly reply: RouteReply }

const wrong = (message: string): Parsed => ({ ok: false, reply: eventsError(422, 'IR_06', message) })

/** UTC midnight, so many days ago. */
const windowStart = (now: number): number => Math.floor(now / DAY_MS) * DAY_MS - LIST_WINDOW_DAYS * DAY_MS

const byObject = (merchantId: string, list: ListBody, types: readonly EventType[] | null): Parsed => {
  const { object_id: objectId, created_after, created_before, limit, offset } = list
  if ([created_after, created_before, limit, offset].some((value) => value !== undefined && value !== null)) {
    return { ok: false, reply: eventsError(400, 'IR_16', 'Either only object_id can be given, or a time range, limit and offset') }
  }
  const filter = { ...common(merchantId, list, types), objectId: objectId ?? null, createdAfter: 0, createdBefore: NO_END }
  return { ok: true, filter: { ...filter, limit: OBJECT_LIST_MAX, offset: 0 } }
}

const common = (merchantId: string, list: ListBody, types: readonly EventType[] | null) => ({
  merchantId,
  profileId: list.profile_id ?? null,
  eventId: list.event_id ?? null,
  types,
  isDelivered: list.is_delivered ?? null,
})

/** What is wrong with the times of a list; undefined when nothing is. */
const timeFault = (createdAfter: number, createdBefore: number, start: number): string | undefined => {
  // First: the beginning of the window, which nobody has named, comes later than a `created_before` that is too old.
  if (createdAfter < start || createdBefore < start) return `Events of the last ${LIST_WINDOW_DAYS} days can be listed`
  return createdAfter > createdBefore ? 'created_after must not be later than created_before, or than now where that is absent' : undefined
}

const pageOf = ({ limit, offset }: ListBody): { readonly limit: number; readonly offset: number } => ({
  limit: limit ?? LIST_LIMIT_MAX,
  offset: offset ?? 0,
})

const byTime = (merchantId: string, list: ListBody, now: number, types: readonly EventType[] | null): Parsed => {
  const start = windowStart(now)
  const page = pageOf(list)
  const createdAfter = list.created_after ?? start
  const createdBefore = list.created_before ?? NO_END
  const fault = timeFault(createdAfter, list.created_before ?? now, start)
  if (fault !== undefined) return wrong(fault)
  if (page.limit > LIST_LIMIT_MAX) return wrong(`limit must be at most ${LIST_LIMIT_MAX}`)
  const filter = { ...common(merchantId, list, types), objectId: null, createdAfter, createdBefore }
  return { ok: true, filter: { ...filter, ...page } }
}

/** The filter of a list (webhooks.md 3.3); an absent body filters nothing, unknown fields are ignored. */
export const parseEventList = (merchantId: string, sent: unknown, now: number): Parsed => {
  const parsed = checkValue(listSchema, sent ?? {})
  if (!parsed.success) return { ok: false, reply: eventsError(400, 'IR_06', firstProblem(parsed.error)) }
  const list = parsed.data
  const types = wantedTypes(list.event_classes ?? [], list.event_types ?? [])
  if (types === 'not-a-subset') return wrong('`event_types` must be a subset of `event_classes`')
  const wanted = types === undefined ? null : [...types]
  const isByObject = typeof list.object_id === 'string' && typeof list.event_id !== 'string'
  return isByObject ? byObject(merchantId, list, wanted) : byTime(merchantId, list, now, wanted)
}

const NUMBERS: readonly string[] = ['limit', 'offset']
const LISTS: readonly string[] = ['event_classes', 'event_types']

const valueOf = (name: string, texts: readonly string[]): unknown => {
  const [text = ''] = texts
  if (LISTS.includes(name)) return texts.flatMap((part) => part.split(',')).filter((part) => part !== '')
  if (NUMBERS.includes(name)) return /^\d{1,10}$/.test(text) ? Number(text) : text
  return name === 'is_delivered' && (text === 'true' || text === 'false') ? text === 'true' : text
}

/** A query with the names of the body; arrays as repeated or comma-separated values. What is blank is not given, as a form sends it. */
export const listBodyOfQuery = (query: URLSearchParams): object => {
  const given = (name: string): readonly string[] => query.getAll(name).filter((text) => text !== '')
  const names = Object.keys(listSchema.shape).filter((name) => given(name).length > 0)
  return Object.fromEntries(names.map((name) => [name, valueOf(name, given(name))]))
}
