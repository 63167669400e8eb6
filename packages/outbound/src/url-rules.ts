import { isIP } from 'node:net'
import type { UrlRule } from '@switchyard/kernel'
import type { AddressRules } from './address-rules.ts'
import { URL_LENGTH_MAX } from './limits.ts'

/** A URL that requests may be sent to, or the rule that it breaks. */
export type CheckedUrl = { readonly accepted: true; readonly url: URL } | { readonly accepted: false; readonly rule: UrlRule }

/** Says of the text of a URL whether it may be configured, and again before each request, whether it may be asked. */
export type CheckUrl = (text: string) => CheckedUrl

/** Schemes that a deployment allows. */
export type AllowedSchemes = 'https_only' | 'http_too'

/** Ports of services that are not asked over HTTP: what HTTP can be made to say to them could do harm. 0 is none at all. */
const DENIED_PORTS = new Set(
  [
    [0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95],
    [101, 102, 103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 445, 465],
    [512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995],
    [1433, 1521, 1719, 1720, 1723, 2049, 2181, 2375, 2376, 2379, 2380, 3306, 3389, 3659, 4045, 4190, 5060, 5061, 5432, 5672],
    [6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 9042, 9092, 9200, 9300, 10_080, 10_250, 11_211, 27_017],
  ].flat(),
)

const refuse = (rule: UrlRule): CheckedUrl => ({ accepted: false, rule })

/** The host without brackets and trailing dots: an address or a name. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '')

/** The rule that a URL breaks as it is written, but for its address. */
const brokenRule = (url: URL, text: string, schemes: AllowedSchemes): UrlRule | undefined => {
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && schemes === 'http_too')) return 'scheme_not_allowed'
  if (url.username !== '' || url.password !== '') return 'user_info_not_allowed'
  if (text.includes('#')) return 'fragment_not_allowed'
  return url.port !== '' && DENIED_PORTS.has(Number(url.port)) ? 'port_not_allowed' : undefined
}

/**
 * The rules for URLs: at most 2,048 characters, https (http where the deployment allows it), no user info, no fragment, no port of
 * another kind of service, no address that is blocked. Names are looked up when a request is sent, not here.
 */
export const createUrlCheck =
  (addresses: AddressRules, schemes: AllowedSchemes): CheckUrl =>
  (text) => {
    if (text.length > URL_LENGTH_MAX) return refuse('url_too_long')
    if (!URL.canParse(text)) return refuse('url_unreadable')
    const url = new URL(text)
    const broken = brokenRule(url, text, schemes)
    if (broken !== undefined) return refuse(broken)
    const host = hostOf(url)
    if (host === '') return refuse('url_unreadable')
    return isIP(host) !== 0 && !addresses.isAllowed(host) ? refuse('blocked_address') : { accepted: true, url }
  }
