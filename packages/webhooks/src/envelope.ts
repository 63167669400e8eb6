import { contentTagOf, type EventType } from './event-types.ts'

/** What the body of an event is made of. */
export interface EnvelopeParts {
  readonly merchantId: string
  /** Of the initial attempt, in every attempt. */
  readonly eventId: string
  readonly eventType: EventType
  /** A JSON object, compact. */
  readonly content: string
  /** Epoch milliseconds. */
  readonly timestamp: number
  readonly processorMerchantId: string | null
}

/** The body as it is sent: compact JSON with its keys in this order (webhooks.md 5.1); a null processor is left out. */
export const envelopeOf = ({ merchantId, eventId, eventType, content, timestamp, processorMerchantId }: EnvelopeParts): string => {
  const head = JSON.stringify({ merchant_id: merchantId, event_id: eventId, event_type: eventType })
  const tail = JSON.stringify({
    timestamp: new Date(timestamp).toISOString(),
    ...(processorMerchantId !== null && { processor_merchant_id: processorMerchantId }),
  })
  const type = JSON.stringify(contentTagOf(eventType))
  return `${head.slice(0, -1)},"content":{"type":${type},"object":${content}},${tail.slice(1)}`
}
