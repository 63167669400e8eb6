import { describe, expect, test } from '@jest/globals'
import { clientAddressOf } from './client-address.ts'

const of = (forwarded: string | undefined, trustedProxyCount: number, remote = '10.0.0.1'): string =>
  clientAddressOf(
    { headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }, remoteAddress: () => remote },
    trustedProxyCount,
  )

describe('the address of a client', () => {
  test.each<[string | undefined, number, string]>([
    [undefined, 0, '10.0.0.1'],
    ['1.2.3.4', 0, '10.0.0.1'],
    ['1.2.3.4', 1, '1.2.3.4'],
    ['6.6.6.6, 1.2.3.4', 1, '1.2.3.4'],
    ['6.6.6.6,1.2.3.4, 10.0.0.9', 2, '1.2.3.4'],
    ['1.2.3.4', 2, '1.2.3.4'],
    [undefined, 1, '10.0.0.1'],
    ['', 1, '10.0.0.1'],
  ])('%p behind %d proxies is %s', (forwarded, count, expected) => {
    expect(of(forwarded, count)).toBe(expected)
  })
  test.each([
    ['1.2.3.4:50001', '1.2.3.4'],
    ['6.6.6.6:1, 1.2.3.4:50002', '1.2.3.4'],
    ['[2001:db8::1]:50001', '2001:db8:0:0::/64'],
    ['[2001:db8::1]', '2001:db8:0:0::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
  ])('a proxy that tells the port of each connection does not make another client of it: %s', (forwarded, expected) => {
    expect(of(forwarded, 1)).toBe(expected)
  })
  test.each([
    ['::ffff:1.2.3.4', '1.2.3.4'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:0db8:0000:0000:0001:2:3:4', '2001:db8:0:0::/64'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['not an address', 'not an address'],
  ])('%s counts as %s', (remote, expected) => {
    expect(of(undefined, 0, remote)).toBe(expected)
  })
})
