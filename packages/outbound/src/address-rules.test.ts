import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createAddressRules } from './address-rules.ts'

const plain = createAddressRules([])

/** First and last address of every range that is blocked, and special ones. */
const BLOCKED = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.88.99.0', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '239.255.255.255'],
  ['240.0.0.0', '255.255.255.255'],
  ['::', '::1'],
  ['::ffff:0.0.0.0', '::ffff:255.255.255.255'],
  ['::ffff:8.8.8.8', '::8.8.8.8'],
  ['64:ff9b::', '64:ff9b::ffff:ffff'],
  ['64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  ['100::', '100::ffff:ffff:ffff:ffff'],
  ['2001::', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:10::', '2001:2f:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['168.63.129.16', 'fe80::1%eth0'],
  ['', 'example.com'],
  ['1.2.3', '1.2.3.4.5'],
].flat()

/** The neighbours of those ranges, and some of the public internet. */
const ALLOWED = [
  ['1.0.0.0', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.0'],
  ['169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '191.255.255.255', '192.0.1.0', '192.0.3.0'],
  ['192.88.98.255', '192.88.100.0', '192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0', '198.51.99.255'],
  ['198.51.101.0', '203.0.112.255', '203.0.114.0', '223.255.255.255', '8.8.8.8'],
  ['2001:200::', '2001:db7:ffff::1', '2001:db9::1', '2003::1', '2606:4700::1111', '2a00::1', '3ffe::1', '3fff:1000::1'],
].flat()

describe('addresses', () => {
  test.each(BLOCKED)('blocked: %s', (address) => {
    expect(plain.isAllowed(address)).toBe(false)
  })

  test.each(ALLOWED)('allowed: %s', (address) => {
    expect(plain.isAllowed(address)).toBe(true)
  })

  test('property: of IPv6 nothing outside 2000::/3', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const first = Number.parseInt(address.split(':')[0] || '0', 16)
        if (first < 0x2000 || first > 0x3fff) expect(plain.isAllowed(address)).toBe(false)
      }),
    )
  })
})

describe('ranges that a deployment allows', () => {
  test('open what is in them and nothing beside', () => {
    const rules = createAddressRules(['127.0.0.0/8', '10.1.2.3', 'fd00:1::/32'])
    for (const address of ['127.0.0.1', '127.9.9.9', '10.1.2.3', 'fd00:1::7', '8.8.8.8']) expect(rules.isAllowed(address)).toBe(true)
    for (const address of ['10.1.2.4', '192.168.0.1', '::ffff:127.0.0.1', '::1', 'fd00:2::7']) expect(rules.isAllowed(address)).toBe(false)
  })

  test.each([
    ['169.254.169.254', '169.254.170.2', '100.100.100.200', '168.63.129.16', 'fd00:ec2::254', 'fd20:ce::254'],
    ['::ffff:169.254.169.254', '::169.254.169.254', '64:ff9b::a9fe:a9fe', '64:ff9b:1::a9fe:a9fe', '2002:a9fe:a9fe::', '2002:a9fe:a9fe::1'],
  ])('never open metadata services: %s', (...addresses) => {
    const all = createAddressRules(['0.0.0.0/0', '::/0'])
    for (const address of addresses) expect(all.isAllowed(address)).toBe(false)
    expect(all.isAllowed('10.0.0.1')).toBe(true)
    expect(all.isAllowed('::1')).toBe(true)
  })

  test('are checked', () => {
    for (const range of ['10.0.0.0/33', 'fd00::/129', '10.0.0/8', 'internal', '10.0.0.0/', '10.0.0.0/-1', '', 'fe80::1%eth0/64']) {
      expect(() => createAddressRules([range])).toThrow('no range of addresses')
    }
    expect(() => createAddressRules(Array.from({ length: 65 }, () => '10.0.0.0/8'))).toThrow('at most 64')
  })
})
