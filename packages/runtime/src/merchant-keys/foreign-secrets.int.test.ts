import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { createMemoryStore } from '@switchyard/store-memory'
import { findForeignSecrets } from './foreign-secrets.ts'
import { createFileKeyVault, type KeyVault } from './key-vault.ts'
import { createMerchantCipher, type MerchantCipherDependencies } from './merchant-cipher.ts'
import { createStoreKeyVault, MERCHANT_KEYS_COLLECTION } from './store-key-vault.ts'

const OURS = 'a'.repeat(32)
const LOST = 'b'.repeat(32)
const WRONG = 'c'.repeat(32)
/** More than are looked at together, of files as of documents. */
const MANY = Array.from({ length: 600 }, (_, i) => `m_${i}`)
const TEXT = Buffer.from('what was sent')

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'switchyard-keys-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

describe.each([
  ['files', (): KeyVault => createFileKeyVault(join(folder, 'merchant-keys')), () => `the folder ${join(folder, 'merchant-keys')}`],
  [
    'a store',
    (): KeyVault => createStoreKeyVault(createMemoryStore({ collections: [MERCHANT_KEYS_COLLECTION] })),
    () => 'the collection merchant-keys',
  ],
])('a secret that was set by mistake, with keys in %s, was found out by the first merchant only', (_, open, place) => {
  let vault: KeyVault
  beforeEach(() => {
    vault = open()
  })
  const lifeOf = (merchantId: string): number => (merchantId.startsWith('m_') ? 1 : 0)
  const keep = async (secret: string, merchantIds: readonly string[]): Promise<void> => {
    const cipher = createMerchantCipher({ vault, secrets: [secret], lifeOf })
    for (const merchantId of merchantIds) await cipher.seal(merchantId, TEXT)
  }
  const find = (...secrets: MerchantCipherDependencies['secrets']) => findForeignSecrets({ vault, secrets, lifeOf }, ['a person', ...MANY])

  test('it is refused when no kept key is unwrapped, and neither secret is told', async () => {
    await keep(OURS, ['m_7', 'm_8'])
    const foreign = await find(WRONG, LOST)
    expect(foreign).toMatchObject({ code: 'SETTING_INVALID', retryable: false })
    expect(foreign?.message).toMatch(/^SWITCHYARD_DATA_KEY_SECRET: .*SWITCHYARD_DATA_KEY_SECRETS_OLD/)
    expect(foreign?.message).toContain(`in ${place()} (2 looked at)`)
    for (const secret of [WRONG, LOST, OURS]) expect(foreign?.message).not.toContain(secret)
  })

  test('that which wrapped them fits, as the newest or as an old one', async () => {
    await keep(OURS, ['m_7'])
    expect(await find(OURS)).toBeUndefined()
    expect(await find(WRONG, LOST, OURS)).toBeUndefined()
  })

  test('before the first key any secret fits', async () => {
    expect(await find(WRONG)).toBeUndefined()
  })

  test('it fits as well when the secret of nearly all others is lost for good', async () => {
    await keep(LOST, MANY.slice(0, -1))
    expect((await find(OURS))?.message).toContain(`(${MANY.length - 1} looked at)`)
    await keep(OURS, MANY.slice(-1))
    expect(await find(OURS)).toBeUndefined()
  })
})
