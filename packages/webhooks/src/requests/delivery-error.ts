import { assertNever, type OutboundOutcome } from '@switchyard/kernel'

/** Whether the endpoint took the event: any 2xx, whatever came behind the status. */
export const isDelivered = (outcome: OutboundOutcome): boolean =>
  outcome.kind === 'answered' && outcome.status >= 200 && outcome.status <= 299

/** Whether the endpoint said that it is gone for good. */
export const isGone = (outcome: OutboundOutcome): boolean => outcome.kind === 'answered' && outcome.status === 410

/**
 * What is told of a failed attempt as `error_message`, nothing for a delivered one: a short text for an answer, else one word of a
 * closed list. It never says more, or the sender could be used to look around in a network.
 */
export const deliveryError = (outcome: OutboundOutcome): string | undefined => {
  switch (outcome.kind) {
    case 'answered':
      if (isDelivered(outcome)) return undefined
      return outcome.status < 400 ? 'redirects are not followed' : `the endpoint answered ${outcome.status}`
    case 'refused':
      return outcome.rule
    case 'timeout':
    case 'dns_error':
    case 'connection_refused':
    case 'network_unreachable':
    case 'connection_reset':
    case 'tls_error':
    case 'invalid_response':
      return outcome.kind
    default:
      return assertNever(outcome)
  }
}
