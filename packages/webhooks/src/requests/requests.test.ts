import { describe, expect, test } from '@jest/globals'
import type { OutboundOutcome } from '@switchyard/kernel'
import { customHeadersFault, maskedHeaders } from './custom-headers.ts'
import { deliveryError, isDelivered, isGone } from './delivery-error.ts'
import { deliveryHeaders } from './delivery-headers.ts'

describe('custom headers', () => {
  test.each([
    'host',
    'Connection',
    'keep-alive',
    'TE',
    'trailer',
    'transfer-encoding',
    'upgrade',
    'expect',
    'content-type',
    'Content-Length',
    'content-anything',
    'User-Agent',
    'via',
    'cookie',
    'proxy-authorization',
    'webhook-id',
    'Webhook-Foo',
    'x-webhook-signature',
    'X-Webhook-Signature-512',
    'accept-encoding',
  ])('%s is the sender’s own', (name) => {
    expect(customHeadersFault({ [name]: 'x' })).toMatch(/can not be set/)
  })

  test.each([
    ['eleven', Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`x-${index}`, 'a'])), /at most 10/],
    ['a blank in the name', { 'x a': 'b' }, /token/],
    ['no name', { '': 'b' }, /token/],
    ['a long name', { ['x'.repeat(65)]: 'b' }, /64/],
    ['an empty value', { 'x-a': '' }, /value of x-a/],
    ['a line break', { 'x-a': 'b\r\nhost: c' }, /value of x-a/],
    ['beyond ASCII', { 'x-a': 'é' }, /value of x-a/],
    ['a value that an endpoint is read with', { 'x-a': '***' }, /stands for the value of x-a/],
    ['a long value', { 'x-a': 'b'.repeat(4097) }, /4096/],
    ['the same name twice', { 'x-a': 'b', 'X-A': 'c' }, /twice/],
  ])('refused: %s', (_name, headers, fault) => {
    expect(customHeadersFault(headers)).toMatch(fault)
  })

  test('ten with blanks inside are fine', () => {
    const headers = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`x-${index}`, 'Bearer a b']))
    expect(customHeadersFault(headers)).toBeUndefined()
  })

  test('values of those that sound secret are not shown', () => {
    const shown = maskedHeaders([
      ['Authorization', 'Bearer x'],
      ['X-Api-Key', 'k'],
      ['x-shop', '7'],
      ['webhook-signature', 'v1,s'],
    ])
    expect(shown).toEqual([
      ['Authorization', '***'],
      ['X-Api-Key', '***'],
      ['x-shop', '7'],
      ['webhook-signature', 'v1,s'],
    ])
  })

  test.each(['x-functions-key', 'Ocp-Apim-Subscription-Key', 'X-AccessKey', 'cf-access-jwt-assertion', 'x-pwd', 'X-Passphrase'])(
    'the secret of a receiver that asks for %s was shown',
    (name) => {
      expect(maskedHeaders([[name, 'secret of the receiver']])).toEqual([[name, '***']])
    },
  )

  test.each([
    'content-type',
    'user-agent',
    'accept-encoding',
    'webhook-id',
    'webhook-timestamp',
    'webhook-signature',
    'x-webhook-signature-512',
  ])('what the sender itself puts into %s is shown', (name) => {
    expect(maskedHeaders([[name, 'v']])).toEqual([[name, 'v']])
  })
})

test('headers of an attempt stand in a fixed order', () => {
  const message = { chainId: 'evt_1', atMs: 5000, body: new Uint8Array() }
  const names = deliveryHeaders(() => '', { message, customHeaders: { 'x-b': '1', 'x-a': '2' }, secrets: ['s'.repeat(24)] })
  expect(names.map(([name]) => name)).toEqual([
    'content-type',
    'user-agent',
    'accept-encoding',
    'x-b',
    'x-a',
    'x-webhook-signature-512',
    'webhook-id',
    'webhook-timestamp',
    'webhook-signature',
  ])
})

describe('what came of an attempt', () => {
  const answered = (status: number): OutboundOutcome => ({
    kind: 'answered',
    status,
    headers: [],
    body: '',
    bodyEnd: 'whole',
    latencyMs: 1,
  })

  test.each([
    [answered(200), undefined],
    [answered(299), undefined],
    [{ ...answered(204), bodyEnd: 'timeout' } as OutboundOutcome, undefined],
    [answered(301), 'redirects are not followed'],
    [answered(303), 'redirects are not followed'],
    [answered(308), 'redirects are not followed'],
    [answered(300), 'the endpoint answered 300'],
    [answered(404), 'the endpoint answered 404'],
    [answered(500), 'the endpoint answered 500'],
    [{ kind: 'timeout', phase: 'dns', latencyMs: 1 }, 'timeout'],
    [{ kind: 'dns_error', latencyMs: 1 }, 'dns_error'],
    [{ kind: 'refused', rule: 'blocked_address', latencyMs: 1 }, 'blocked_address'],
    [{ kind: 'invalid_response', latencyMs: 1 }, 'invalid_response'],
  ] as const)('%j', (outcome, error) => {
    expect(deliveryError(outcome)).toBe(error)
    expect(isDelivered(outcome)).toBe(error === undefined)
  })

  test('304, which redirects nowhere, was told as a redirect that is not followed', () => {
    expect(deliveryError(answered(304))).toBe('the endpoint answered 304')
  })

  test('410 says that the endpoint is gone', () => {
    expect(isGone(answered(410))).toBe(true)
    expect(isGone(answered(404))).toBe(false)
  })
})
