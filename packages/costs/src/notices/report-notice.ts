import type { Hmac } from '@switchyard/kernel'

/** What a connector sends when a report is ready. */
export interface SentNotice {
  readonly body: Uint8Array
  /** Of the header that the connector signs with; empty when it is not there. */
  readonly signature: string
}

/** A report that is ready. */
export interface ReadyReport {
  readonly notificationId: string
  /** What it is fetched by: an address, or an id at the connector. */
  readonly reference: string
}

/** A notice before its signature was checked: nothing of it may be used but the account, to find the secret by. */
export interface ParsedNotice {
  readonly account: string
  /** Whether all of it is signed with this secret. */
  readonly isSigned: (secret: string, hmac: Hmac) => boolean
  /** None when it tells of something else. */
  readonly reports: readonly ReadyReport[]
}

/** The notices of a connector. */
export interface NoticeFormat {
  readonly connector: string
  /** Name of the header with the signature; undefined when it stands in the body. */
  readonly signatureHeader: string | undefined
  /** Undefined when it can't be read. */
  readonly parse: (notice: SentNotice) => ParsedNotice | undefined
}

/** Compares two texts in a time that does not depend on where they differ. */
export const isSameText = (one: string, other: string): boolean => {
  if (one.length !== other.length) return false
  let difference = 0
  for (let at = 0; at < one.length; at++) difference |= one.charCodeAt(at) ^ other.charCodeAt(at)
  return difference === 0
}

const bytes = new TextEncoder()

/** Bytes of a text. */
export const utf8 = (text: string): Uint8Array => bytes.encode(text)

/** Bytes of hexadecimal digits; undefined for something else. */
export const fromHex = (text: string): Uint8Array | undefined =>
  /^(?:[0-9a-fA-F]{2})+$/.test(text) ? Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)) : undefined

/** A value of JSON by its path; undefined when something on the way is no object. */
export const memberAt = (value: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>((inner, name) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, name) : undefined), value)

/** A text, or a number as one; empty for anything else. */
export const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

/** JSON in UTF-8; undefined for something else. */
export const parseJsonBytes = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return undefined
  }
}
