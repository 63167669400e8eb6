import { describe, expect, test } from '@jest/globals'
import { createAddressRules } from './address-rules.ts'
import { createUrlCheck } from './url-rules.ts'

const addresses = createAddressRules([])
const check = createUrlCheck(addresses, 'https_only')

const verdictOf = (text: string, checkUrl = check): string => {
  const checked = checkUrl(text)
  return checked.accepted ? 'accepted' : checked.rule
}

describe('URLs of endpoints', () => {
  test.each([
    'https://example.com/hook',
    'https://example.com:8443/hook?shop=7',
    'https://EXAMPLE.com./hook',
    'https://bücher.example/hook',
    'https://8.8.8.8/hook',
    'https://[2606:4700::1111]/hook',
    'https://0x08.010.8.8/hook',
    // Names are looked up when a request is sent.
    'https://localhost/hook',
    'https://metadata.internal/hook',
  ])('accepted: %s', (text) => {
    expect(verdictOf(text)).toBe('accepted')
  })

  test.each([
    ['not a url', 'url_unreadable'],
    ['', 'url_unreadable'],
    ['https://', 'url_unreadable'],
    ['https://[fe80::1%25eth0]/', 'url_unreadable'],
    ['https://999.1.1.1/', 'url_unreadable'],
    ['https://exa mple.com/', 'url_unreadable'],
    [`https://example.com/${'a'.repeat(2048)}`, 'url_too_long'],
    ['http://example.com/', 'scheme_not_allowed'],
    ['ftp://example.com/', 'scheme_not_allowed'],
    ['file:///etc/passwd', 'scheme_not_allowed'],
    ['gopher://example.com/', 'scheme_not_allowed'],
    ['data:text/plain,x', 'scheme_not_allowed'],
    ['https://user@example.com/', 'user_info_not_allowed'],
    ['https://:secret@example.com/', 'user_info_not_allowed'],
    ['https://example.com/#top', 'fragment_not_allowed'],
    ['https://example.com/#', 'fragment_not_allowed'],
    ['https://example.com:0/', 'port_not_allowed'],
    ['https://example.com:22/', 'port_not_allowed'],
    ['https://example.com:6379/', 'port_not_allowed'],
    ['https://example.com:25/', 'port_not_allowed'],
    ['https://127.0.0.1/', 'blocked_address'],
    ['https://127.1/', 'blocked_address'],
    ['https://2130706433/', 'blocked_address'],
    ['https://0x7f.1/', 'blocked_address'],
    ['https://0177.0.0.1/', 'blocked_address'],
    ['https://127.0.0.1./', 'blocked_address'],
    ['https://１２７.0.0.1/', 'blocked_address'],
    ['https://[::1]/', 'blocked_address'],
    ['https://[::]/', 'blocked_address'],
    ['https://[::ffff:127.0.0.1]/', 'blocked_address'],
    ['https://[::ffff:8.8.8.8]/', 'blocked_address'],
    ['https://[64:ff9b::127.0.0.1]/', 'blocked_address'],
    ['https://[2002:7f00:1::]/', 'blocked_address'],
    ['https://[fe80::1]/', 'blocked_address'],
    ['https://[fd00:ec2::254]/', 'blocked_address'],
    ['https://169.254.169.254/latest/meta-data/', 'blocked_address'],
    ['https://10.0.0.1/', 'blocked_address'],
    ['https://100.64.0.1/', 'blocked_address'],
    ['https://0/', 'blocked_address'],
  ])('%s: %s', (text, rule) => {
    expect(verdictOf(text)).toBe(rule)
  })

  test('http where the deployment allows it', () => {
    const withHttp = createUrlCheck(addresses, 'http_too')
    expect(verdictOf('http://example.com/hook', withHttp)).toBe('accepted')
    expect(verdictOf('ftp://example.com/hook', withHttp)).toBe('scheme_not_allowed')
  })

  test('addresses that the deployment allows', () => {
    const inside = createUrlCheck(createAddressRules(['10.0.0.0/8', '169.254.0.0/16']), 'https_only')
    expect(verdictOf('https://10.0.0.1/hook', inside)).toBe('accepted')
    expect(verdictOf('https://169.254.169.254/hook', inside)).toBe('blocked_address')
  })
})
