import { isIPv6 } from 'node:net'
import type { RouteRequest } from './route.ts'

/** How many groups of an IPv6 address name a network: who has one address of it has all of them. */
const NETWORK_GROUP_COUNT = 4
const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/** Some proxies tell the port too, which is another one for each connection; an IPv6 address then stands in brackets. */
const WITH_PORT = /^(?:(\d+\.\d+\.\d+\.\d+)|\[([^\]]+)\])(?::\d+)?$/

const withoutPort = (hop: string): string => {
  const [, ipv4, ipv6] = WITH_PORT.exec(hop) ?? []
  return ipv4 ?? ipv6 ?? hop
}

/** The first four groups of an IPv6 address, zeros written out. */
const networkOf = (address: string): string => {
  const [head = '', tail] = (address.split('%')[0] ?? '').toLowerCase().split('::')
  const front = head === '' ? [] : head.split(':')
  const back = tail === undefined || tail === '' ? [] : tail.split(':')
  const gap = tail === undefined ? 0 : Math.max(0, 8 - front.length - back.length)
  const groups = [...front, ...Array.from({ length: gap }, () => '0'), ...back].map((group) => group.replace(/^0+(?=.)/, ''))
  return `${groups.slice(0, NETWORK_GROUP_COUNT).join(':')}::/64`
}

/**
 * Where a request comes from, for throttles: the address of the connection, or with `trustedProxyCount` proxies of one's own in
 * between the one that the outermost of them saw, which is that many from the end of `x-forwarded-for`; what stands before it is
 * the client's own claim. IPv6 addresses count by their network.
 */
export const clientAddressOf = (
  { headers, remoteAddress }: Pick<RouteRequest, 'headers' | 'remoteAddress'>,
  trustedProxyCount: number,
): string => {
  const forwarded = headers['x-forwarded-for']
  const hops = typeof forwarded === 'string' ? forwarded.split(',').map((hop) => hop.trim()) : []
  const seen = trustedProxyCount === 0 ? undefined : hops.at(-Math.min(trustedProxyCount, hops.length))
  const address = seen === undefined || seen === '' ? remoteAddress() : withoutPort(seen)
  const plain = MAPPED_IPV4.exec(address)?.[1] ?? address
  return isIPv6(plain) ? networkOf(plain) : plain
}
