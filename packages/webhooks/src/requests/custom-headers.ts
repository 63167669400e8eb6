import type { HeaderPair } from '@switchyard/kernel'

/** Headers that a merchant adds to the requests of an endpoint. */
const CUSTOM_HEADERS_MAX = 10
/** Characters of such a header's name. */
const HEADER_NAME_LENGTH_MAX = 64
/** Characters of its value. */
const HEADER_VALUE_LENGTH_MAX = 4096

/** Shown instead of a value that is not to be shown. */
export const MASKED_VALUE = '***'

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** Visible ASCII, with blanks inside. */
const VALUE = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/
const OURS = new Set(['host', 'connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'expect'])
const OURS_TOO = new Set(['user-agent', 'via', 'cookie', 'accept-encoding'])
const OUR_PREFIXES = ['content-', 'proxy-', 'webhook-', 'x-webhook-signature']

const isOurs = (name: string): boolean => OURS.has(name) || OURS_TOO.has(name) || OUR_PREFIXES.some((prefix) => name.startsWith(prefix))

const faultOf = (name: string, value: string): string | undefined => {
  if (name.length > HEADER_NAME_LENGTH_MAX || !TOKEN.test(name)) {
    return `custom_headers: a name must be a token of at most ${HEADER_NAME_LENGTH_MAX} characters`
  }
  if (isOurs(name.toLowerCase())) return `custom_headers: ${name} can not be set`
  if (value.length > HEADER_VALUE_LENGTH_MAX || !VALUE.test(value)) {
    return `custom_headers: the value of ${name} must be 1 to ${HEADER_VALUE_LENGTH_MAX} visible ASCII characters`
  }
  // An endpoint that was read and is sent back: its requests would go out with this.
  if (value === MASKED_VALUE) return `custom_headers: ${MASKED_VALUE} stands for the value of ${name}, send the value itself`
  return undefined
}

/**
 * What is wrong with the headers that a merchant adds, or nothing: at most ten, names that are tokens and not the sender's own, values
 * of visible ASCII, not the one that is shown instead of them. A name may stand once, in whatever case.
 */
export const customHeadersFault = (headers: Readonly<Record<string, string>>): string | undefined => {
  const entries = Object.entries(headers)
  if (entries.length > CUSTOM_HEADERS_MAX) return `custom_headers: at most ${CUSTOM_HEADERS_MAX} headers`
  const names = new Set<string>()
  for (const [name, value] of entries) {
    const fault = faultOf(name, value)
    if (fault !== undefined) return fault
    if (names.has(name.toLowerCase())) return `custom_headers: ${name} stands twice`
    names.add(name.toLowerCase())
  }
  return undefined
}

/** Also keys that are none of an API: `x-functions-key`, `Ocp-Apim-Subscription-Key`. */
const SECRET_NAME = /auth|cookie|token|secret|passw|passphrase|passcode|pwd|key|jwt|bearer|credential|session/i

/** Headers as they may be shown: the values of those whose name sounds like a secret are masked. */
export const maskedHeaders = (headers: readonly HeaderPair[]): readonly HeaderPair[] =>
  headers.map(([name, value]) => [name, SECRET_NAME.test(name) ? MASKED_VALUE : value])
