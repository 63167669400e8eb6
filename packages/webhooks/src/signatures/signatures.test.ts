import { createHmac } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import type { Hmac } from '@switchyard/kernel'
import fc from 'fast-check'
import { utf8 } from './bytes.ts'
import { bodySignature, signatureHeaders, standardSignature } from './signatures.ts'
import { bodySignatureFault, standardSignatureFault } from './verify-signatures.ts'

const hmac: Hmac = (hash, { key, message, as }) => createHmac(hash, key).update(message).digest(as)

const BODY =
  '{"merchant_id":"merch_042","event_id":"evt_0199a1b2c3d470008000000000000001","event_type":"payment_succeeded","content":{"type":"payment_details","object":{"payment_id":"pay_77","status":"succeeded","amount":1250,"currency":"EUR"}},"timestamp":"2026-01-05T10:00:00.000Z"}'
const CHAIN = 'evt_0199a1b2c3d470008000000000000001'
const TEXT_SECRET = 'k3y-for-tests-0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMN'
const SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='
const OLD_SECRET = 'whsec_HxAREhMUFRYXGBkaGxwdHh8AAQIDBAUGBwgJCgsMDQ4='

describe('vectors', () => {
  test('the body has 271 bytes', () => {
    expect(utf8(BODY)).toHaveLength(271)
  })

  test('the older scheme', () => {
    expect(bodySignature(hmac, TEXT_SECRET, utf8(BODY))).toBe(
      '7f2ca80fc821224a44cc7d093d1197ac488f8d1e2d6989bfa54ef29374621c6e2bd24c0b9a8f6d775d835e8f2cbf7266e33c130dd3692092354959fd68809f06',
    )
  })

  test('Standard Webhooks', () => {
    const message = { id: CHAIN, timestamp: '1767607200', body: utf8(BODY) }
    expect(standardSignature(hmac, SECRET, message)).toBe('v1,37aziJVImXtdP/TEOC1KGqWoYCRNMrvaDKVI3raO/FM=')
  })

  test('the public vector of Standard Webhooks', () => {
    const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: '1614265330', body: utf8('{"test": 2432232314}') }
    expect(standardSignature(hmac, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', message)).toBe(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    )
  })

  test('a secret without whsec_ is the key as it is, in both schemes', () => {
    const message = { id: CHAIN, timestamp: '1767607200', body: utf8(BODY) }
    const expected = createHmac('sha256', TEXT_SECRET).update(`${CHAIN}.1767607200.${BODY}`).digest('base64')
    expect(standardSignature(hmac, TEXT_SECRET, message)).toBe(`v1,${expected}`)
  })

  test('the older scheme takes a whsec_ secret as text', () => {
    expect(bodySignature(hmac, SECRET, utf8(BODY))).toBe(createHmac('sha512', SECRET).update(BODY).digest('hex'))
  })
})

describe('headers of an attempt', () => {
  const message = { chainId: CHAIN, atMs: 1_767_607_200_999, body: utf8(BODY) }

  test('both schemes, the time in whole seconds', () => {
    expect(signatureHeaders(hmac, [SECRET], message)).toEqual([
      ['x-webhook-signature-512', bodySignature(hmac, SECRET, utf8(BODY))],
      ['webhook-id', CHAIN],
      ['webhook-timestamp', '1767607200'],
      ['webhook-signature', 'v1,37aziJVImXtdP/TEOC1KGqWoYCRNMrvaDKVI3raO/FM='],
    ])
  })

  test('during a rotation every valid secret signs, the newest first', () => {
    const headers = Object.fromEntries(signatureHeaders(hmac, [SECRET, OLD_SECRET, TEXT_SECRET], message))
    const one = (secret: string): string | undefined => Object.fromEntries(signatureHeaders(hmac, [secret], message))['webhook-signature']
    expect(headers['webhook-signature']).toBe([SECRET, OLD_SECRET, TEXT_SECRET].map(one).join(' '))
    expect(headers['x-webhook-signature-512']).toBe(bodySignature(hmac, SECRET, utf8(BODY)))
    expect(headers['x-webhook-signature-512-previous']).toBe(bodySignature(hmac, OLD_SECRET, utf8(BODY)))
  })

  test('without a secret nothing is signed', () => {
    expect(signatureHeaders(hmac, [], message)).toEqual([])
  })
})

describe('a receiver', () => {
  const atMs = 1_767_607_200_000
  const received = (secrets: readonly string[], body = BODY) => ({
    headers: Object.fromEntries(signatureHeaders(hmac, secrets, { chainId: CHAIN, atMs, body: utf8(body) })),
    body: utf8(body),
  })

  test.each([
    ['the current secret', [SECRET, OLD_SECRET]],
    ['the one before', [OLD_SECRET, SECRET]],
  ])('accepts %s during a rotation', (_name, [mine = '', other = '']) => {
    expect(standardSignatureFault(hmac, mine, received([other, mine]), atMs)).toBeUndefined()
    expect(bodySignatureFault(hmac, mine, received([other, mine]))).toBeUndefined()
  })

  test.each([
    [300, undefined],
    [301, 'too_old'],
    [-300, undefined],
    [-301, 'too_new'],
  ])('a message that is %d s old: %s', (ageSeconds, fault) => {
    expect(standardSignatureFault(hmac, SECRET, received([SECRET]), atMs + ageSeconds * 1000)).toBe(fault)
  })

  test('a header that is missing is told', () => {
    expect(standardSignatureFault(hmac, SECRET, { headers: {}, body: utf8(BODY) }, atMs)).toBe('missing')
    expect(bodySignatureFault(hmac, SECRET, { headers: {}, body: utf8(BODY) })).toBe('missing')
  })

  test('property: no other body, secret or time passes', () => {
    const message = received([SECRET])
    fc.assert(
      fc.property(fc.string(), fc.stringMatching(/^[a-zA-Z0-9]{24,64}$/), fc.integer({ min: 1, max: 200 }), (body, secret, seconds) => {
        fc.pre(body !== BODY)
        expect(standardSignatureFault(hmac, SECRET, { ...message, body: utf8(body) }, atMs)).toBe('wrong')
        expect(bodySignatureFault(hmac, SECRET, { ...message, body: utf8(body) })).toBe('wrong')
        expect(standardSignatureFault(hmac, secret, message, atMs)).toBe('wrong')
        expect(bodySignatureFault(hmac, secret, message)).toBe('wrong')
        const headers = { ...message.headers, 'webhook-timestamp': String(atMs / 1000 + seconds) }
        expect(standardSignatureFault(hmac, SECRET, { ...message, headers }, atMs)).toBe('wrong')
      }),
    )
  })
})
