import type { HeaderPair, OutboundRequest } from '@switchyard/kernel'
import { deliveryHeaders, type Endpoint, validSecrets } from '@switchyard/webhooks'
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
  { sealed, hmac }: Pick<Parts, 'sealed' | 'hmac'>,
  endpoint: Endpoint,
  { merchantId, chainId, body, at }: Message,
): Promise<OutboundRequest | undefined> => {
  const openText = <Value>(text: string): Promise<Value | undefined> => sealed.open<Value>(merchantId, Buffer.from(text, 'base64'))
  const customHeaders = await openText<Readonly<Record<string, string>>>(endpoint.customHeaders)
  const secrets = await Promise.all(validSecrets(endpoint, at).map(({ secret }) => openText<string>(secret)))
  if (customHeaders === undefined) return undefined
  const headers = deliveryHeaders(hmac, {
    message: { chainId, atMs: at, body },
    customHeaders,
    secrets: secrets.filter((secret) => secret !== undefined),
  })
  return {
    endpointId: keyOfEndpoint({ merchantId, profileId: endpoint.profileId }),
    url: endpoint.url,
    headers,
    body,
    timeoutMs: endpoint.timeoutSeconds * 1_000,
  }
}
