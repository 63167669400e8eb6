import { expect, test } from '@jest/globals'
import { accountNamed } from './account-name.ts'

test.each([
  ['ShopEU', 'ShopEU'],
  ['  Shop EU ', 'Shop EU'],
  ['', undefined],
  ['   ', undefined],
  ['Shop\u0000', undefined],
  ['Shop\u202eUE', undefined],
  ['a'.repeat(128), 'a'.repeat(128)],
  ['a'.repeat(129), undefined],
  ['😀'.repeat(128), '😀'.repeat(128)],
  ['😀'.repeat(129), undefined],
])('%j names the account %j', (text, account) => expect(accountNamed(text)).toBe(account))
