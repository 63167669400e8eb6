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
    const requestId = keyPart(event.data.requestId)
    const globalRequestId = keyPart(trace?.globalRequestId ?? '')
    const ids = globalRequestId === requestId ? [requestId] : [requestId, globalRequestId]
    const keys: DocumentKey[] = []
    for (const id of ids) if (id !== '' && id !== lookupKey) keys.push([keyPart(event.data.merchantId), summaryKindOf(event), id])
    return keys
  },
  initialView: () => ({ lookupKey: null }),
  project: (view, { event }) => {
    if (!isTimelineEvent(event)) return view
    const lookupKey = lookupKeyOf(event)
    return view.lookupKey === lookupKey ? view : { lookupKey }
  },
}
