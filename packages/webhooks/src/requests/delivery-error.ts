import type { OutboundOutcome } from '@switchyard/kernel'

/** Whether the endpoint took the event: any 2xx, whatever came behind the status. */
export const isDelivered = (outcome: OutboundOutcome): boolean =>
  outcome.kind === 'answered' && outcome.status >= 200 && outcome.status <= 299

/** Whether the endpoint said that it is gone for good. */
export const isGone = (outcome: OutboundOutcome): boolean => outcome.kind === 'answered' && outcome.status === 410

/** Statuses that name another address; 304 is none of them, nor are those that leave a choice. */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** How an attempt ended, in a few words for all: the hundred of its status, or why there was none. */
export const outcomeClass = (outcome: OutboundOutcome): string =>
  outcome.kind === 'answered' ? `${Math.floor(outcome.status / 100)}xx` : outcome.kind

/**
 * What is told of a failed attempt as `error_message`, nothing for a delivered one: a short text for an answer, else one word of a
 * closed list. It never says more, or the sender could be used to look around in a network.
 */
export const deliveryError = (outcome: OutboundOutcome): string | undefined => {
  if (isDelivered(outcome)) return undefined
  if (outcome.kind === 'refused') return outcome.rule
  if (outcome.kind !== 'answered') return outcome.kind
  return REDIRECTS.has(outcome.status) ? 'redirects are not followed' : `the endpoint answered ${outcome.status}`
}
