import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { merchants } from '@switchyard/access'
import { createFileKeyVault, createMerchantCipher } from '@switchyard/runtime'
import type { Configuration } from './configuration.ts'
import { findForeignDataSecrets } from './data-keys.ts'

const secrets = ['a'.repeat(32)] as const
let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'switchyard-keys-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const configurationOf = (registered: boolean): Pick<Configuration, 'states'> => {
  const state = { ...merchants.initialState, registered, registrationCount: 1 }
  return { states: Object({ stateOf: () => state, knownKeys: () => ['m_1'] }) }
}

test('a start was refused for the key of a closed merchant that a killed process had overwritten, and not yet removed', async () => {
  const vault = createFileKeyVault(folder)
  await createMerchantCipher({ vault, secrets, lifeOf: () => 1 }).seal('m_1', Buffer.from('text'))
  for (const name of readdirSync(folder)) writeFileSync(join(folder, name), new Uint8Array(statSync(join(folder, name)).size))
  expect(await findForeignDataSecrets(configurationOf(true), { vault, secrets })).toMatchObject({ code: 'SETTING_INVALID' })
  expect(await findForeignDataSecrets(configurationOf(false), { vault, secrets })).toBeUndefined()
})
