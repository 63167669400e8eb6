import type { DocumentKey, DocumentProjection } from '@switchyard/kernel'
import { endedBy, keyPart, lookupKeyOf, summaryKindOf } from '../keys.ts'
import { isTimelineEvent, type RecordedPayment } from '../recorded-payment.ts'

/** Where to find what a request did: the newest timeline that the request added to. */
export interface PaymentRequest {
  readonly lookupKey: string | null
}

const NO_KEYS: readonly DocumentKey[] = []

/** Finds a timeline by any of its request ids, and of its callers' ids of them; requests without a payment are found by the timeline's own key. */
export const paymentRequests: DocumentProjection<PaymentRequest, RecordedPayment> = {
  name: 'payment-requests-v1',
  endedBy,
  keysOf: ({ event, trace }) => {
    if (!isTimelineEvent(event)) return NO_KEYS
    const lookupKey = lookupKeyOf(event)
    const ids = new Set([keyPart(event.data.requestId), keyPart(trace?.globalRequestId ?? '')])
    return [...ids].filter((id) => id !== '' && id !== lookupKey).map((id) => [keyPart(event.data.merchantId), summaryKindOf(event), id])
  },
  initialView: () => ({ lookupKey: null }),
  project: (view, { event }) => {
    if (!isTimelineEvent(event)) return view
    const lookupKey = lookupKeyOf(event)
    return view.lookupKey === lookupKey ? view : { lookupKey }
  },
}
