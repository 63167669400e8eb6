import type { HeaderPair, OutboundRequest } from '@switchyard/kernel'
import { deliveryHeaders, type Endpoint } from '@switchyard/webhooks'
import type { Parts } from '../parts.ts'
import { keyOfEndpoint } from './endpoint-work.ts'

/** What is sent, for whom. */
export interface Message {
  readonly merchantId: string
  /** Id under which it is signed. */
  readonly chainId: string
  readonly body: Uint8Array
  /** Time of this attempt, epoch milliseconds. */
  readonly at: number
}

/** A request as it is kept: body and secrets are not in it. */
export interface KeptRequest {
  readonly url: string
  readonly headers: readonly HeaderPair[]
}

/**
 * The request of one attempt: address, headers and secrets as they are now, nothing is kept from earlier attempts (webhooks.md 5.4).
 * Undefined when the merchant's key was destroyed.
 */
export const prepareRequest = async (
  { openEndpoint, hmac }: Pick<Parts, 'openEndpoint' | 'hmac'>,
  endpoint: Endpoint,
  { merchantId, chainId, body, at }: Message,
): Promise<OutboundRequest | undefined> => {
  const opened = await openEndpoint(merchantId, endpoint, at)
  if (opened === undefined) return undefined
  const headers = deliveryHeaders(hmac, { message: { chainId, atMs: at, body }, ...opened })
  return {
    endpointId: keyOfEndpoint({ merchantId, profileId: endpoint.profileId }),
    url: endpoint.url,
    headers,
    body,
    timeoutMs: endpoint.timeoutSeconds * 1_000,
  }
}
