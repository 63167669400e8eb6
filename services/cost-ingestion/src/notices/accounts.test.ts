import { createHash } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { merchants } from '@switchyard/access'
import { accountIdOf, connectorAccounts } from '@switchyard/costs'
import type { StreamStates } from '@switchyard/runtime'
import { findAccount } from './accounts.ts'

const ACCOUNT_ID = accountIdOf('adyen', 'ShopEU', (text) => createHash('sha256').update(text).digest('hex'))

/** States of a process that has read nothing yet of any key. */
const unreadStates = (): Pick<StreamStates, 'stateOf' | 'readIndex' | 'readIndexOfAll'> => {
  const secret = { secret: 'sealed', hint: '••••last' }
  const recorded = new Map<string, object>([
    [
      `${connectorAccounts.name} ${ACCOUNT_ID}`,
      { stored: { merchantId: 'm_1', merchantRegistrationCount: 1, webhookSecret: secret, downloadSecret: secret } },
    ],
    [`${merchants.name} m_1`, { registered: true, registrationCount: 1 }],
  ])
  const read = new Set<string>()
  return {
    stateOf: ({ name, initialState }, key) => Object.assign({}, initialState, read.has(key) ? recorded.get(`${name} ${key}`) : undefined),
    readIndex: async (key) => void read.add(key),
    readIndexOfAll: async () => {},
  }
}

test('an account that was just stored is found, though its merchant was not read yet', async () => {
  expect(await findAccount({ states: unreadStates() }, 'adyen', 'ShopEU')).toMatchObject({ merchantId: 'm_1' })
  expect(await findAccount({ states: unreadStates() }, 'adyen', 'ShopUS')).toBeUndefined()
})
