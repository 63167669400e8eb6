import {
  type ConfigEvent,
  type CostsEvent,
  EVENT_CATALOGUE,
  type EventCodec,
  type PaymentsEvent,
  type PaymentsEventPart,
  type SwitchyardEvent,
  type WebhooksEvent,
} from '@switchyard/events'
import { isOperatingError, type LogRecord, OperatingError } from '@switchyard/kernel'

const isConfigEvent = (event: SwitchyardEvent): event is ConfigEvent => EVENT_CATALOGUE[event.type].topic === 'config'
const isPaymentsEvent = (event: SwitchyardEvent): event is PaymentsEvent => EVENT_CATALOGUE[event.type].topic === 'payments'
const isWebhooksEvent = (event: SwitchyardEvent): event is WebhooksEvent => EVENT_CATALOGUE[event.type].topic === 'webhooks'

const isCostsEvent = (event: SwitchyardEvent): event is CostsEvent => EVENT_CATALOGUE[event.type].topic === 'costs'

const foreign = (event: Pick<SwitchyardEvent, 'type'>): OperatingError =>
  new OperatingError('RECORD_UNREADABLE', `${event.type} does not belong to this topic`, { retryable: false })

/** Reads a record of the topic `config`; throws `RECORD_UNREADABLE` or `SCHEMA_UNKNOWN`. */
export const decodeConfigEvent = (codec: EventCodec, bytes: Uint8Array): ConfigEvent => {
  const event = codec.decode(bytes)
  if (!isConfigEvent(event)) throw foreign(event)
  return event
}

/** Reads a record of the topic `payments`; throws `RECORD_UNREADABLE` or `SCHEMA_UNKNOWN`. */
export const decodePaymentsEvent = (codec: EventCodec, bytes: Uint8Array): PaymentsEvent => {
  const event = codec.decode(bytes)
  if (!isPaymentsEvent(event)) throw foreign(event)
  return event
}

/** Reads a record of the topic `webhooks`; throws `RECORD_UNREADABLE` or `SCHEMA_UNKNOWN`. */
export const decodeWebhooksEvent = (codec: EventCodec, bytes: Uint8Array): WebhooksEvent => {
  const event = codec.decode(bytes)
  if (!isWebhooksEvent(event)) throw foreign(event)
  return event
}

/** Reads a record of the topic `costs`; throws `RECORD_UNREADABLE` or `SCHEMA_UNKNOWN`. */
export const decodeCostsEvent = (codec: EventCodec, bytes: Uint8Array): CostsEvent => {
  const event = codec.decode(bytes)
  if (!isCostsEvent(event)) throw foreign(event)
  return event
}

const isPaymentsPart = (event: SwitchyardEvent | PaymentsEventPart): event is PaymentsEventPart =>
  EVENT_CATALOGUE[event.type].topic === 'payments'

/** Reads of a record of the topic `payments` what success rates follow from; throws as {@link decodePaymentsEvent}. */
const decodePaymentsPart = (codec: EventCodec, bytes: Uint8Array): PaymentsEventPart => {
  const event = codec.decodePart(bytes)
  if (!isPaymentsPart(event)) throw foreign(event)
  return event
}

/** What was appended in this process as the topic's events are: by the codec's own types. */
const isPartAtHand = (event: object | undefined): event is PaymentsEventPart => event !== undefined

/** What success rates follow from in a record of the topic `payments`: at hand, or read from the bytes; throws as {@link decodePaymentsEvent}. */
export const recordedPartOf = (codec: EventCodec, record: LogRecord): PaymentsEventPart =>
  isPartAtHand(record.event) ? record.event : decodePaymentsPart(codec, record.value)

/** Whether a record can't be read by this release: it is passed by, and the projector keeps it as a dead letter. */
export const isPoison = (error: unknown): error is OperatingError =>
  isOperatingError(error, 'RECORD_UNREADABLE') || isOperatingError(error, 'SCHEMA_UNKNOWN')

/** What `read` gives, or undefined for a record that this release can't read. */
export const unlessPoison = <Event>(read: () => Event): Event | undefined => {
  try {
    return read()
  } catch (error) {
    if (isPoison(error)) return undefined
    throw error
  }
}
