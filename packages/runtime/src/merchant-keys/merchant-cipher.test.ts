import { describe, expect, test } from '@jest/globals'
import { createMemoryStore } from '@switchyard/store-memory'
import type { KeyVault } from './key-vault.ts'
import { createMerchantCipher, type MerchantCipherDependencies } from './merchant-cipher.ts'
import { createStoreKeyVault, MERCHANT_KEYS_COLLECTION } from './store-key-vault.ts'

const OLDEST = 'a'.repeat(32)
const OLD = 'b'.repeat(32)
const NEW = 'c'.repeat(32)
const TEXT = Buffer.from('what was sent')

const memoryVault = () => createStoreKeyVault(createMemoryStore({ collections: [MERCHANT_KEYS_COLLECTION] }))
const cipherWith = (vault: KeyVault, ...secrets: MerchantCipherDependencies['secrets']) =>
  createMerchantCipher({ vault, secrets, lifeOf: () => 1 })

describe('the secrets of a deployment', () => {
  test('change one after another: what each of them wrapped stays readable, the newest wraps', async () => {
    const vault = memoryVault()
    const first = await cipherWith(vault, OLDEST).seal('m_1', TEXT)
    const second = await cipherWith(vault, OLD, OLDEST).seal('m_2', TEXT)
    const now = cipherWith(vault, NEW, OLD, OLDEST)
    expect(await now.open('m_1', first)).toEqual(TEXT)
    expect(await now.open('m_2', second)).toEqual(TEXT)
    const third = await now.seal('m_3', TEXT)
    expect(await cipherWith(vault, NEW).open('m_3', third)).toEqual(TEXT)
    expect(await cipherWith(vault, NEW, OLDEST).open('m_1', await now.seal('m_1', TEXT))).toEqual(TEXT)
  })

  test('must not be forgotten while merchants of their time are there: the failure says what to name', async () => {
    const vault = memoryVault()
    const sealed = await cipherWith(vault, OLD).seal('m_1', TEXT)
    await expect(cipherWith(vault, NEW).open('m_1', sealed)).rejects.toMatchObject({
      code: 'SETTING_INVALID',
      message: expect.stringContaining('SWITCHYARD_DATA_KEY_SECRETS_OLD'),
    })
  })
})

test('what is sealed differs each time, and opens for its merchant alone', async () => {
  const cipher = cipherWith(memoryVault(), NEW)
  const many = await Promise.all(Array.from({ length: 600 }, () => cipher.seal('m_1', TEXT)))
  expect(new Set(many.map((sealed) => Buffer.from(sealed).toString('hex'))).size).toBe(600)
  await cipher.seal('m_2', TEXT)
  await expect(cipher.open('m_2', many[0] ?? TEXT)).rejects.toThrow(/authenticate/)
  const changed = Uint8Array.from(many[0] ?? TEXT)
  changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1
  await expect(cipher.open('m_1', changed)).rejects.toThrow(/authenticate/)
})

test('a key that was destroyed does not come back: what is sealed for the merchant afterwards is read by nobody', async () => {
  const vault = memoryVault()
  const cipher = cipherWith(vault, NEW)
  const before = await cipher.seal('m_1', TEXT)
  await cipher.destroyBefore('m_1', 2)
  const after = await cipher.seal('m_1', TEXT)
  expect(await vault.find('m_1', 1)).toBeUndefined()
  for (const sealed of [before, after]) expect(await cipher.open('m_1', sealed)).toBeUndefined()
})

test('a key that was being made while its merchant was closed stayed: what destroyed the others came too early for it', async () => {
  /** As files, which do not tell a key that was destroyed from one that was never there. */
  const files = new Map<number, Uint8Array>()
  const cipher = cipherWith(
    {
      ...memoryVault(),
      find: async (_, life) => files.get(life),
      keep: async (merchantId, life, wrappedKey) => {
        await cipher.destroyBefore(merchantId, life + 1)
        files.set(life, wrappedKey)
        return wrappedKey
      },
      destroy: async (_, life) => void files.delete(life),
    },
    NEW,
  )
  const sealed = await cipher.seal('m_1', TEXT)
  expect(files.size).toBe(0)
  expect(await cipher.open('m_1', sealed)).toBeUndefined()
})
