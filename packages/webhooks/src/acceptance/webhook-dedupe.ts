import type { WebhookEventAccepted } from '@switchyard/events'
import type { CollectionSpec, DocumentProjection } from '@switchyard/kernel'
import { AGE_INDEX } from '../contents/webhook-contents.ts'
import { DEDUPE_WINDOW_MS, REPEATS_KNOWN_MAX } from '../limits.ts'
import type { RecordedWebhook } from '../recorded-webhook.ts'

const NAME = 'webhook-dedupe-v1'

/** The collection of {@link webhookDedupe}. */
export const webhookDedupeCollection: CollectionSpec = { name: NAME, indexes: [{ name: AGE_INDEX, fields: ['at'] }] }

/** The chain that was accepted first under a key; null when there is none. */
export interface FirstAcceptance {
  readonly chainId: string | null
  readonly contentHash: string
  /** Epoch milliseconds. */
  readonly at: number
  /** Chains that were accepted beside it, and are to be taken back; absent when there are none, the oldest {@link REPEATS_KNOWN_MAX} of them. */
  readonly repeats?: readonly string[]
}

/** Whether the acceptance still counts at `at` (webhooks.md 9.3). */
export const isRecent = ({ chainId, at: acceptedAt }: FirstAcceptance, at: number): boolean =>
  chainId !== null && at - acceptedAt < DEDUPE_WINDOW_MS

/**
 * Whether an event that was accepted at `at` is a repetition of this first one. Clocks of replicas differ, so the first one may be later; but when
 * it is so by the whole window, it is another event, which took the place of one that was waiting still.
 */
export const isRepeatedBy = (first: FirstAcceptance, at: number): boolean => isRecent(first, at) && first.at - at < DEDUPE_WINDOW_MS

const withRepeat = (view: FirstAcceptance, { chainId, at }: WebhookEventAccepted['data']): FirstAcceptance => {
  const { repeats = [] } = view
  const isKnown = chainId === view.chainId || repeats.includes(chainId)
  return isKnown || !isRepeatedBy(view, at) || repeats.length >= REPEATS_KNOWN_MAX ? view : { ...view, repeats: [...repeats, chainId] }
}

/** What was accepted under each key, key `[merchantId, dedupeKey]`: the first one of a window stays. */
export const webhookDedupe: DocumentProjection<FirstAcceptance, RecordedWebhook> = {
  name: NAME,
  keysOf: ({ event }) => (event.type === 'WebhookEventAccepted' ? [[event.data.merchantId, event.data.dedupeKey]] : []),
  initialView: () => ({ chainId: null, contentHash: '', at: 0 }),
  project: (view, { event }) => {
    if (event.type !== 'WebhookEventAccepted') return view
    if (isRecent(view, event.data.at)) return withRepeat(view, event.data)
    const { chainId, contentHash, at } = event.data
    return { chainId, contentHash, at }
  },
}
