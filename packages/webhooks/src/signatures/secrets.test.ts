import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { secretFault, secretHint, secretOf, standardKey } from './secrets.ts'

const bytes = (length: number): Uint8Array => new Uint8Array(length).fill(7)

describe('secrets', () => {
  test('property: one that is made of 24 to 64 random bytes is faultless, and its key is these bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 24, maxLength: 64 }), (random) => {
        expect(secretFault(secretOf(random))).toBeUndefined()
        expect(standardKey(secretOf(random))).toEqual(random)
      }),
    )
  })

  test.each([
    ['23 bytes', secretOf(bytes(23)), /24 to 64 bytes/],
    ['65 bytes', secretOf(bytes(65)), /24 to 64 bytes/],
    ['no base64', 'whsec_this is not base64 at all', /base64/],
    ['23 characters', 'a'.repeat(23), /24 to 128 characters/],
    ['129 characters', 'a'.repeat(129), /24 to 128 characters/],
    ['a blank', `${'a'.repeat(24)} b`, /visible ASCII/],
    ['a letter beyond ASCII', `${'a'.repeat(24)}é`, /visible ASCII/],
  ])('refused: %s', (_name, secret, fault) => {
    expect(secretFault(secret)).toMatch(fault)
  })

  test.each(['a'.repeat(24), '~'.repeat(128)])('accepted as it is: %s', (secret) => {
    expect(secretFault(secret)).toBeUndefined()
  })

  test('a hint shows the end only', () => {
    expect(secretHint('whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=')).toBe('whsec_…h8=')
    expect(secretHint('k3y-for-tests-0123456789abcdefghijk')).toBe('…ijk')
  })
})
