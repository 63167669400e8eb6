import {
  type EventLog,
  isOperatingError,
  type LogRecord,
  OperatingError,
  type Position,
  type Positions,
  type SchemaIds,
  type Topic,
} from '@switchyard/kernel'
import { createEventCodec, type EventCodec } from './codec.ts'
import { EVENT_CATALOGUE, type SwitchyardEvent } from './generated/catalogue.ts'
import type { ConfigEvent } from './generated/config.ts'
import type { CostsEvent } from './generated/costs.ts'
import type { PaymentsEvent } from './generated/payments.ts'
import type { WebhooksEvent } from './generated/webhooks.ts'
import { publishedSchemaIds } from './published-schema-ids.ts'
import { seekTime } from './seek-time.ts'

/** Where records come from: any event log, or an export (`exportedRecords`), which knows no ends. */
export type RecordSource = Pick<EventLog, 'read'> & Partial<Pick<EventLog, 'endPositions'>>

/** The events of a topic. */
export type EventOf<T extends Topic> = {
  readonly config: ConfigEvent
  readonly costs: CostsEvent
  readonly payments: PaymentsEvent
  readonly webhooks: WebhooksEvent
}[T]

/** An event as a consumer gets it: switch over `event.type`, and `event.data` has the type of that event. */
export interface ReadEvent<Event> {
  readonly topic: Topic
  readonly position: Position
  /** Merchant id; for accounts of people the user id. */
  readonly key: string
  /** Unique id of the event: the same when it is read again. */
  readonly eventId: string
  readonly correlation: string | undefined
  /** W3C `traceparent` of the request that led to it, when it was part of a trace. */
  readonly trace: string | undefined
  /** Id of a trace that came without one. */
  readonly traceId: string | undefined
  /** The caller's own id of what the request was a part of. */
  readonly globalRequestId: string | undefined
  readonly actor: string | undefined
  /**
   * Version of the aggregate that a `config` event was decided on: with another version it has no effect (the first event of
   * two that raced counts). Events of `payments` carry none; starts of attempts in `webhooks` race too, and have their end only when they counted.
   * In `costs` some events of a report carry the number of others that counted (docs/consuming-events.md).
   */
  readonly expectedVersion: number | undefined
  readonly event: Event
}

/** What to read. */
export interface ReadEventsOptions<T extends Topic> {
  readonly source: RecordSource
  readonly topic: T
  /** First `at` to read, epoch milliseconds; absent: the first record that is kept. */
  readonly from?: number | undefined
  /** First `at` that is left out, epoch milliseconds; absent: everything up to the end as it is now. */
  readonly to?: number | undefined
  /** Only events of this merchant. */
  readonly merchantId?: string | undefined
  /** Goes on behind these positions: those of the last events that were handled. */
  readonly after?: Positions | undefined
  /** Numbers of the schemas; absent: those of the committed files. With a registry: `openRegistrySchemaIds`, and `learningLog` around the source. */
  readonly schemaIds?: SchemaIds | undefined
  /** Hears of records that can't be read, which are passed by then; absent: the first one ends the reading. */
  readonly onUnreadable?: ((record: LogRecord, error: OperatingError) => void) | undefined
}

const isOf = <T extends Topic>(topic: T, event: SwitchyardEvent): event is SwitchyardEvent & EventOf<T> =>
  EVENT_CATALOGUE[event.type].topic === topic

const decoded = <T extends Topic>(codec: EventCodec, topic: T, record: LogRecord): EventOf<T> => {
  const event: SwitchyardEvent = codec.decode(record.value)
  if (isOf(topic, event)) return event
  throw new OperatingError('RECORD_UNREADABLE', `${event.type} does not belong to the topic ${topic}`, { retryable: false })
}

const isUnreadable = (error: unknown): error is OperatingError =>
  isOperatingError(error, 'RECORD_UNREADABLE') || isOperatingError(error, 'SCHEMA_UNKNOWN')

/** A record as it stands in the log, with its event, or why it can't be read. */
export type ReadRecord<Event> =
  | { readonly record: LogRecord; readonly event: Event; readonly error?: undefined }
  | { readonly record: LogRecord; readonly event?: undefined; readonly error: OperatingError }

const readRecord = <T extends Topic>(codec: EventCodec, topic: T, record: LogRecord): ReadRecord<EventOf<T>> => {
  try {
    return { record, event: decoded(codec, topic, record) }
  } catch (error) {
    if (isUnreadable(error)) return { record, error }
    throw error
  }
}

const startOf = async <T extends Topic>({ source, topic, from, after }: ReadEventsOptions<T>, codec: EventCodec): Promise<Positions> => {
  const { read, endPositions } = source
  if (from === undefined || after !== undefined || endPositions === undefined) return after ?? new Map()
  return await seekTime({ read, endPositions }, topic, from, (record) => decoded(codec, topic, record).data.at)
}

const spanOf =
  ({
    from = Number.NEGATIVE_INFINITY,
    to = Number.POSITIVE_INFINITY,
  }: {
    readonly from?: number | undefined
    readonly to?: number | undefined
  }) =>
  ({ data: { at } }: SwitchyardEvent): boolean =>
    at >= from && at < to

/** As {@link readEvents}, with the bytes; records that can't be read are among them, whatever the span of time. */
export async function* readRecords<T extends Topic>(
  options: Omit<ReadEventsOptions<T>, 'onUnreadable'>,
): AsyncGenerator<ReadRecord<EventOf<T>>> {
  const { source, topic, merchantId } = options
  const isInSpan = spanOf(options)
  const codec = createEventCodec(options.schemaIds ?? publishedSchemaIds(), { strict: false })
  for await (const records of source.read(topic, await startOf(options, codec))) {
    for (const record of records) {
      if (merchantId !== undefined && record.key !== merchantId) continue
      const read = readRecord(codec, topic, record)
      if (read.error !== undefined || isInSpan(read.event)) yield read
    }
  }
}

/**
 * The events of a topic up to its end as it is now, typed. Events of one merchant come in their order; between merchants
 * there is none. The same events come again when they are read again: remember `position` of what was handled, or
 * `eventId`. Rejects with `RECORD_UNREADABLE` or `SCHEMA_UNKNOWN` and the position (unless `onUnreadable` takes them), and
 * with what the source rejects with.
 */
export async function* readEvents<T extends Topic>(options: ReadEventsOptions<T>): AsyncGenerator<ReadEvent<EventOf<T>>> {
  const { topic, onUnreadable } = options
  for await (const read of readRecords(options)) {
    const { key, position, headers } = read.record
    if (read.error === undefined) {
      const { id: eventId, correlation, actor, expectedVersion, trace, traceId, globalRequestId } = headers
      yield { topic, position, key, eventId, correlation, trace, traceId, globalRequestId, actor, expectedVersion, event: read.event }
    } else if (onUnreadable !== undefined) onUnreadable(read.record, read.error)
    else {
      const where = `${topic} ${position.partition}/${position.offset}`
      throw new OperatingError(read.error.code, `${where}: ${read.error.message}`, { retryable: read.error.retryable, cause: read.error })
    }
  }
}
