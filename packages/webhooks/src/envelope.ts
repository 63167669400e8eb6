import { contentTagOf, type EventType } from './event-types.ts'

/** What the body of an event is made of. */
export interface EnvelopeParts {
  readonly merchantId: string
  /** Of the initial attempt, in every attempt. */
  readonly eventId: string
  readonly eventType: EventType
  readonly content: object
  /** Epoch milliseconds. */
  readonly timestamp: number
  readonly processorMerchantId: string | null
}

/** The body as it is sent: compact JSON with its keys in this order (webhooks.md 5.1); a null processor is left out. */
export const envelopeOf = ({ merchantId, eventId, eventType, content, timestamp, processorMerchantId }: EnvelopeParts): string =>
  JSON.stringify({
    merchant_id: merchantId,
    event_id: eventId,
    event_type: eventType,
    content: { type: contentTagOf(eventType), object: content },
    timestamp: new Date(timestamp).toISOString(),
    ...(processorMerchantId !== null && { processor_merchant_id: processorMerchantId }),
  })
