import { randomBytes } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { generatePassword } from './generated-password.ts'

describe('a generated password', () => {
  test('has 16 characters, one of each class at least', () => {
    for (let count = 0; count < 200; count++) {
      const password = generatePassword(randomBytes)
      expect(password).toHaveLength(16)
      for (const one of [/[A-Z]/, /[a-z]/, /[0-9]/, /[!@#$%^&*]/]) expect(password).toMatch(one)
    }
  })

  test('takes no byte that would favour the first characters', () => {
    // The first choice is one of 26 letters: nine times 26 are 234.
    const bytes = (first: number) => {
      let isFirst = true
      return (): Uint8Array => {
        const byte = isFirst ? first : 0
        isFirst = false
        return Uint8Array.of(byte)
      }
    }
    expect(generatePassword(bytes(234))).toBe(generatePassword(() => Uint8Array.of(0)))
    expect(generatePassword(bytes(233))).not.toBe(generatePassword(() => Uint8Array.of(0)))
  })
})
