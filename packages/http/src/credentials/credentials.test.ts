import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { generateApiKey, hashApiKey } from './api-key.ts'
import { type Argon2, argon2, createPasswords } from './passwords.ts'
import { createSecretCheck } from './secret-check.ts'

describe('API keys', () => {
  test('the hash of the sheet', () => {
    expect(hashApiKey(`DE_${'0123456789abcdef'.repeat(4)}`)).toBe('a92f5131e606feb325213c6eca5840d1c852cab58df97e9260f4ae1b574535dc')
  })
  test('a key is DE_ and 32 random bytes', () => {
    const { apiKey, keyPrefix, keyHash } = generateApiKey((count) => new Uint8Array(count).fill(0xa5))
    expect(apiKey).toBe(`DE_${'a5'.repeat(32)}`)
    expect([keyPrefix, keyHash]).toEqual(['DE_a5a5a5a5', hashApiKey(apiKey)])
  })
})

describe('secrets', () => {
  test('only the secret itself matches', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string(), (secret, candidate) => {
        expect(createSecretCheck(secret)(candidate)).toBe(candidate === secret)
        expect(createSecretCheck(secret)(secret)).toBe(true)
      }),
    )
  })
  test.each([undefined, null, 7, ['a']])('%j never matches', (candidate) => {
    expect(createSecretCheck('a')(candidate)).toBe(false)
  })
  test('an empty secret admits nobody', () => {
    expect(createSecretCheck('')('')).toBe(false)
  })
})

describe('passwords', () => {
  const cost = { memoryKib: 64, passCount: 1, laneCount: 1 }
  const passwords = createPasswords({ cost })

  test('a hash of another cost is outdated, one of this cost is not', async () => {
    const costlier = createPasswords({ cost: { ...cost, passCount: cost.passCount + 1 } })
    expect(costlier.isOutdated(await passwords.hash('Blue#Sky2024'))).toBe(true)
    expect(costlier.isOutdated(await costlier.hash('Blue#Sky2024'))).toBe(false)
    expect(costlier.isOutdated('$2b$12$of-another-function')).toBe(true)
  })
  test('without an account the work is that of one with a new hash: the same parameters, once', async () => {
    const checked: string[] = []
    const library: Argon2 = {
      ...argon2,
      verify: (hashed, password) => {
        checked.push(String(hashed).replace(/[^$]+\$[^$]+$/, ''))
        return argon2.verify(hashed, password)
      },
    }
    const watched = createPasswords({ cost, library })
    await watched.verify(await watched.hash('Blue#Sky2024'), 'x')
    await watched.verify(undefined, 'x')
    expect(checked).toEqual([checked[0], checked[0]])
    expect(checked[0]).toMatch(/^\$argon2id\$v=19\$m=\d+,t=\d+,p=\d+\$$/)
  })
  test('a hash is argon2id with a salt of its own, and belongs to its password only', async () => {
    const [one, two] = [await passwords.hash('Blue#Sky2024'), await passwords.hash('Blue#Sky2024')]
    expect(one).toMatch(/^\$argon2id\$v=19\$m=64,t=1,p=1\$/)
    expect(one).not.toBe(two)
    expect(await passwords.verify(one, 'Blue#Sky2024')).toBe(true)
    expect(await passwords.verify(one, 'Blue#Sky2025')).toBe(false)
  })
  test('without an account the check runs all the same, and is false', async () => {
    expect(await passwords.verify(undefined, '')).toBe(false)
  })
  test('is not busy when nobody signs in', async () => {
    await passwords.verify(undefined, 'x')
    expect(passwords.isBusy()).toBe(false)
  })
  test('is busy while as many checks wait as may wait', async () => {
    const waiting = Array.from({ length: 256 }, () => passwords.verify(undefined, 'x'))
    expect(passwords.isBusy()).toBe(true)
    await Promise.all(waiting)
    expect(passwords.isBusy()).toBe(false)
  })
})
