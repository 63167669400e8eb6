import { createHash } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { normaliseEmail, userIdOf } from './email.ts'

describe('addresses', () => {
  const sha256Hex = (text: string): string => createHash('sha256').update(text).digest('hex')

  test('spellings of one address are one account', () => {
    expect(normaliseEmail('  Ops@Example.TEST ')).toBe('ops@example.test')
    expect(normaliseEmail('Re\u0301mi@example.test')).toBe('r\u00e9mi@example.test')
  })
  test('the id of an account never changes: it is the key of its events', () => {
    expect(userIdOf('ops@example.test', sha256Hex)).toMatchInlineSnapshot(`"ecb8d79b-2775-88fc-a16d-d02f26f0d461"`)
  })
  test('every id is a UUID of version 8', () => {
    fc.assert(
      fc.property(fc.string(), (email) => {
        expect(userIdOf(email, sha256Hex)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      }),
    )
  })
})
