import type { HeaderPair, Hmac } from '@switchyard/kernel'
import { utf8 } from './bytes.ts'
import { standardKey, textKey } from './secrets.ts'

/** What is signed: the frozen body, under the id of its chain and the time of this attempt. */
export interface SignedMessage {
  /** Without a dot, the same in every attempt of a chain. */
  readonly chainId: string
  readonly atMs: number
  readonly body: Uint8Array
}

/** The bytes that a Standard Webhooks signature covers: id, seconds and body, joined by dots. */
const standardContent = (id: string, timestamp: string, body: Uint8Array): Uint8Array => {
  const head = utf8(`${id}.${timestamp}.`)
  const content = new Uint8Array(head.length + body.length)
  content.set(head)
  content.set(body, head.length)
  return content
}

/** The older scheme: lower-case hex of HMAC-SHA512 of the body alone, 128 digits. */
export const bodySignature = (hmac: Hmac, secret: string, body: Uint8Array): string =>
  hmac('sha512', { key: textKey(secret), message: body, as: 'hex' })

/** Standard Webhooks 1.0.0: `v1,` and base64 of HMAC-SHA256 of id, seconds and body. */
export const standardSignature = (
  hmac: Hmac,
  secret: string,
  message: { readonly id: string; readonly timestamp: string; readonly body: Uint8Array },
): string =>
  `v1,${hmac('sha256', { key: standardKey(secret), message: standardContent(message.id, message.timestamp, message.body), as: 'base64' })}`

/**
 * The headers that prove where an attempt comes from, in both schemes. `secrets` are those that are valid now, newest first: each
 * has its `v1` entry; the older scheme has room for the newest and, under a name of its own, the one before.
 */
export const signatureHeaders = (hmac: Hmac, secrets: readonly string[], { chainId, atMs, body }: SignedMessage): readonly HeaderPair[] => {
  const [current, previous] = secrets
  if (current === undefined) return []
  const timestamp = String(Math.floor(atMs / 1000))
  const signatures = secrets.map((secret) => standardSignature(hmac, secret, { id: chainId, timestamp, body }))
  const older: readonly HeaderPair[] =
    previous === undefined ? [] : [['x-webhook-signature-512-previous', bodySignature(hmac, previous, body)]]
  return [
    ['x-webhook-signature-512', bodySignature(hmac, current, body)],
    ...older,
    ['webhook-id', chainId],
    ['webhook-timestamp', timestamp],
    ['webhook-signature', signatures.join(' ')],
  ]
}
