import type { Hmac } from '@switchyard/kernel'
import { SIGNATURE_TOLERANCE_SECONDS, SIGNATURES_PER_HEADER_MAX } from '../limits.ts'
import { isSameText } from './bytes.ts'
import { bodySignature, standardSignature } from './signatures.ts'

/** What a receiver got: headers by lower-case name, and the exact bytes of the body. */
export interface ReceivedMessage {
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Uint8Array
}

/** Why a signature is not accepted. */
export type SignatureFault = 'missing' | 'too_old' | 'too_new' | 'wrong'

const timeFault = (timestamp: string, nowMs: number): SignatureFault | undefined => {
  if (!/^\d{1,12}$/.test(timestamp)) return 'missing'
  const ageSeconds = Math.floor(nowMs / 1000) - Number(timestamp)
  if (ageSeconds > SIGNATURE_TOLERANCE_SECONDS) return 'too_old'
  return ageSeconds < -SIGNATURE_TOLERANCE_SECONDS ? 'too_new' : undefined
}

/** For receivers: what is wrong with the Standard Webhooks headers under this secret, or nothing. Compares in constant time. */
export const standardSignatureFault = (
  hmac: Hmac,
  secret: string,
  { headers, body }: ReceivedMessage,
  nowMs: number,
): SignatureFault | undefined => {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': list } = headers
  if (id === undefined || timestamp === undefined || list === undefined) return 'missing'
  const fault = timeFault(timestamp, nowMs)
  if (fault !== undefined) return fault
  const expected = standardSignature(hmac, secret, { id, timestamp, body })
  const given = list.split(' ').slice(0, SIGNATURES_PER_HEADER_MAX)
  return given.some((signature) => isSameText(expected, signature)) ? undefined : 'wrong'
}

/** For receivers: what is wrong with the signature of the older scheme under this secret, or nothing. */
export const bodySignatureFault = (hmac: Hmac, secret: string, { headers, body }: ReceivedMessage): SignatureFault | undefined => {
  const given = [headers['x-webhook-signature-512'], headers['x-webhook-signature-512-previous']].filter((value) => value !== undefined)
  if (given.length === 0) return 'missing'
  const expected = bodySignature(hmac, secret, body)
  return given.some((signature) => isSameText(expected, signature)) ? undefined : 'wrong'
}
