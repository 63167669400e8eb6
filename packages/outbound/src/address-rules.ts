import { BlockList, isIP } from 'node:net'
import { ALLOWED_RANGES_MAX } from './limits.ts'

/** Which addresses requests may go to. */
export interface AddressRules {
  readonly isAllowed: (address: string) => boolean
}

/** Not the public internet: this network, private, shared, loopback, link-local, documentation, benchmarks, multicast, reserved. */
const BLOCKED_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]

/**
 * Everything outside 2000::/3, and of that what is not the public internet. The first line holds ::, ::1, IPv4 in IPv6 (mapped,
 * compatible, NAT64) and discarded addresses; the third local, link-local and multicast ones; 2001::/23 holds Teredo and ORCHID,
 * 2002::/16 is 6to4.
 */
const BLOCKED_V6 = ['::/3', '4000::/2', '8000::/1', '2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

/** Where clouds give credentials to whoever asks: no deployment can allow these. */
const METADATA_V4 = ['169.254.169.254', '169.254.170.2', '100.100.100.200', '168.63.129.16']
const METADATA_V6 = ['fd00:ec2::254', 'fd20:ce::254']

/** The ways to write an IPv4 address as an IPv6 one: mapped, compatible, NAT64 (both prefixes), 6to4. */
const inV6 = (address: string): readonly string[] => {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
  const groups = `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
  return [`::ffff:${groups}/128`, `::${groups}/128`, `64:ff9b::${groups}/128`, `64:ff9b:1::${groups}/128`, `2002:${groups}::/48`]
}

interface Range {
  readonly network: string
  readonly prefix: number
  readonly family: 'ipv4' | 'ipv6'
}

const parseRange = (text: string): Range | undefined => {
  const [, network = '', digits] = /^([0-9A-Fa-f.:]{2,45})(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const version = isIP(network)
  if (version === 0) return undefined
  const bits = version === 4 ? 32 : 128
  const prefix = digits === undefined ? bits : Number(digits)
  return prefix > bits ? undefined : { network, prefix, family: version === 4 ? 'ipv4' : 'ipv6' }
}

/** A list for each family: in one list an IPv4 address would be found in a range of IPv6 too. */
const createRanges = (texts: readonly string[]): ((address: string) => boolean) => {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() }
  for (const text of texts) {
    const range = parseRange(text)
    if (range === undefined) throw new RangeError(`${text} is no range of addresses such as 10.1.0.0/16`)
    lists[range.family].addSubnet(range.network, range.prefix, range.family)
  }
  return (address) => (isIP(address) === 4 ? lists.ipv4.check(address, 'ipv4') : lists.ipv6.check(address, 'ipv6'))
}

const isMetadata = createRanges([...METADATA_V4, ...METADATA_V6, ...METADATA_V4.flatMap(inV6)])
const isBlocked = createRanges([...BLOCKED_V4, ...BLOCKED_V6])

/**
 * The public internet and the ranges that the deployment allows; metadata services of clouds never. What is no address, or has a zone,
 * is not allowed. Ranges are at most 64 of `address/bits` or single addresses; others are a RangeError.
 */
export const createAddressRules = (allowedRanges: readonly string[]): AddressRules => {
  if (allowedRanges.length > ALLOWED_RANGES_MAX) throw new RangeError(`at most ${ALLOWED_RANGES_MAX} ranges can be allowed`)
  const isPermitted = createRanges(allowedRanges)
  return {
    isAllowed: (address) => {
      if (isIP(address) === 0 || address.includes('%') || isMetadata(address)) return false
      return isPermitted(address) || !isBlocked(address)
    },
  }
}
