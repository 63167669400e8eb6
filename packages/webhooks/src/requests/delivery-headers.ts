import type { HeaderPair, Hmac } from '@switchyard/kernel'
import { type SignedMessage, signatureHeaders } from '../signatures/signatures.ts'

/** How the sender names itself. */
const USER_AGENT = 'Switchyard'

/** What the headers of one attempt are made of, all of it as it is now: nothing is kept from earlier attempts. */
export interface DeliveryHeaderSources {
  readonly message: SignedMessage
  readonly customHeaders: Readonly<Record<string, string>>
  /** Valid secrets, newest first; none leaves the attempt unsigned. */
  readonly secrets: readonly string[]
}

/** All headers of an attempt in the order in which they are sent and shown, but for those of the connection. */
export const deliveryHeaders = (hmac: Hmac, { message, customHeaders, secrets }: DeliveryHeaderSources): readonly HeaderPair[] => [
  ['content-type', 'application/json'],
  ['user-agent', USER_AGENT],
  ['accept-encoding', 'identity'],
  ...Object.entries(customHeaders),
  ...signatureHeaders(hmac, secrets, message),
]
