import { describe, expect, jest, test } from '@jest/globals'
import { hashApiKey } from '../credentials/api-key.ts'
import type { KnownKey } from './credential-lookup.ts'
import { createKeyLookup } from './known-keys.ts'

const keyOf = (active: boolean): { -readonly [Name in keyof KnownKey]: KnownKey[Name] } => ({
  keyId: 'k1',
  merchantId: 'm1',
  active,
  expiresAt: null,
  isCurrent: true,
  merchantPlace: undefined,
  notedInRound: 0,
})

describe('API keys that were found', () => {
  test('are not looked for again', () => {
    const keyByHash = jest.fn((hash: string) => (hash === hashApiKey('good') ? keyOf(true) : undefined))
    const find = createKeyLookup({ keyByHash })
    expect([find('good'), find('good'), find('bad'), find('bad')].map((key) => key?.keyId)).toEqual(['k1', 'k1', undefined, undefined])
    expect(keyByHash).toHaveBeenCalledTimes(3)
  })

  test('are looked for as soon as the directory says otherwise: revoked, gone, and there again', () => {
    const issued = keyOf(true)
    let standing: ReturnType<typeof keyOf> | undefined = issued
    const find = createKeyLookup({ keyByHash: () => standing })
    expect(find('good')).toBe(issued)
    issued.isCurrent = false
    standing = keyOf(false)
    expect(find('good')?.active).toBe(false)
    standing.isCurrent = false
    standing = undefined
    expect(find('good')).toBeUndefined()
    standing = keyOf(true)
    expect(find('good')).toBe(standing)
  })
})
