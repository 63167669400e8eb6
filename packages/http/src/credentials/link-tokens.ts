import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/** What a link is for: one of another purpose opens nothing. */
type LinkPurpose = 'reset-password' | 'verify-email'

/** What a link names; both are UUIDs. */
export interface MailedSecret {
  readonly userId: string
  readonly linkId: string
}

/** Makes and checks the secrets of mailed links. */
export interface LinkTokens {
  readonly issue: (purpose: LinkPurpose, secret: MailedSecret) => string
  /** What a genuine token names, whether or not its link is still open; undefined for everything else. */
  readonly verify: (purpose: LinkPurpose, token: string) => MailedSecret | undefined
}

const UUID_BYTES = 16
const NAMED_BYTES: number = 2 * UUID_BYTES
const MAC_BYTES = 32
const TOKEN = /^[A-Za-z0-9_-]{86}$/

const bytesOf = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex')

const uuidOf = (bytes: Buffer): string => bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/**
 * The secret of a link is made of its id under a key that only the services have, so it can be mailed at any time after the event
 * that asks for it, and the event holds none. A token is base64url of user id, link id, and HMAC-SHA-256 of purpose and both; the key
 * is derived from the secret of session tokens, for this use alone.
 */
export const createLinkTokens = (secret: string): LinkTokens => {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'switchyard mailed links', MAC_BYTES))
  const macOf = (purpose: LinkPurpose, named: Buffer): Buffer => createHmac('sha256', key).update(`${purpose}\n`).update(named).digest()

  return {
    issue: (purpose, { userId, linkId }) => {
      const named = Buffer.concat([bytesOf(userId), bytesOf(linkId)])
      return Buffer.concat([named, macOf(purpose, named)]).toString('base64url')
    },
    verify: (purpose, token) => {
      if (!TOKEN.test(token)) return undefined
      const bytes = Buffer.from(token, 'base64url')
      const named = bytes.subarray(0, NAMED_BYTES)
      const mac = bytes.subarray(NAMED_BYTES)
      if (mac.length !== MAC_BYTES || !timingSafeEqual(mac, macOf(purpose, named))) return undefined
      return { userId: uuidOf(named.subarray(0, UUID_BYTES)), linkId: uuidOf(named.subarray(UUID_BYTES)) }
    },
  }
}
