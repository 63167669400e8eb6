import { describe, expect, test } from '@jest/globals'
import { isStrongPassword } from './password-rule.ts'

describe('password rule', () => {
  test.each([
    ['Password123!', true],
    ['Blue#Sky2024', true],
    ['StrongPass1', false],
    ['Aa1!aaaa', false],
    ['password123!', false],
    ['PASSWORD123!', false],
    ['Password!!!!', false],
    ['Password 123', true],
    ['Passwordé123', true],
    ['Aa1😀😀😀😀😀😀', false],
    ['Aa1😀😀😀😀😀😀😀', true],
  ])('%s -> %s', (password, strong) => {
    expect(isStrongPassword(password)).toBe(strong)
  })
})
