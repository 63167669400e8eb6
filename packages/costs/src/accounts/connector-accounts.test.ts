import { createHash } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { specificationOf } from '@switchyard/testing'
import { createAccountDirectory } from './account-directory.ts'
import { accountIdOf, type ConnectorAccountsEvent, connectorAccounts } from './connector-accounts.ts'
import { downloadHintOf, secretHintOf } from './secret-hint.ts'

const given = specificationOf(connectorAccounts)
const secret = { secret: 'sealed', hint: '••••last' }
const place = { accountId: 'acct_1', connector: 'adyen', account: 'ShopEU' }
const store = (merchantId: string, closedOwner: { merchantId: string; merchantRegistrationCount: number } | null = null) =>
  ({
    type: 'StoreConnectorCredential',
    ...place,
    merchantId,
    merchantRegistrationCount: 1,
    webhookSecret: secret,
    downloadSecret: secret,
    closedOwner,
    at: 10,
  }) as const
const stored = (merchantId: string, accountId = 'acct_1', merchantRegistrationCount = 1): ConnectorAccountsEvent => ({
  type: 'ConnectorCredentialStored',
  data: {
    ...place,
    accountId,
    merchantId,
    merchantRegistrationCount,
    webhookSecret: 'sealed',
    webhookSecretHint: '••••last',
    downloadSecret: 'sealed',
    downloadSecretHint: '••••last',
    at: 10,
  },
})
const removal = (merchantId: string) => ({ type: 'RemoveConnectorCredential', ...place, merchantId, at: 20 }) as const

describe('an account at a connector', () => {
  test('belongs to who stores its credentials first, who may change them', () => {
    given().when(store('m1')).emits(stored('m1'))
    given(stored('m1')).when(store('m1')).emits(stored('m1'))
    given(stored('m1')).when(store('m2')).isRejectedWith({ code: 'ACCOUNT_OWNED_BY_ANOTHER', connector: 'adyen', account: 'ShopEU' })
  })

  test('may be taken when its owner was closed, and nobody else has taken it', () => {
    given(stored('m1'))
      .when(store('m2', { merchantId: 'm1', merchantRegistrationCount: 1 }))
      .emits(stored('m2'))
    given(stored('m3'))
      .when(store('m2', { merchantId: 'm1', merchantRegistrationCount: 1 }))
      .isRejectedWith({ code: 'ACCOUNT_OWNED_BY_ANOTHER', connector: 'adyen', account: 'ShopEU' })
  })

  test('stays with the merchant that has the id now when what an earlier one of it sent comes late', () => {
    const ofNext = stored('m1', 'acct_1', 2)
    given(ofNext).when(store('m1')).isRejectedWith({ code: 'ACCOUNT_OWNED_BY_ANOTHER', connector: 'adyen', account: 'ShopEU' })
    given(stored('m1'))
      .when({ ...store('m1', { merchantId: 'm1', merchantRegistrationCount: 1 }), merchantRegistrationCount: 2 })
      .emits(ofNext)
  })

  test('is given up by its owner alone, once', () => {
    given(stored('m1'))
      .when(removal('m1'))
      .emits({ type: 'ConnectorCredentialRemoved', data: { ...place, merchantId: 'm1', at: 20 } })
    given(stored('m1')).when(removal('m2')).emitsNothing()
    given().when(removal('m1')).emitsNothing()
  })

  test('is one key in the log, whatever the case of its connector', () => {
    const sha256Hex = (text: string): string => createHash('sha256').update(text).digest('hex')
    expect(accountIdOf('Adyen', 'ShopEU', sha256Hex)).toBe(accountIdOf('adyen', 'ShopEU', sha256Hex))
    expect(accountIdOf('adyen', 'shopeu', sha256Hex)).not.toBe(accountIdOf('adyen', 'ShopEU', sha256Hex))
    expect(accountIdOf('adyen', 'ShopEU', sha256Hex).length).toBeLessThanOrEqual(64)
  })
})

test('a directory follows who has which account', () => {
  const states = new Map<string, (typeof connectorAccounts)['initialState']>()
  let changed: (key: string) => void = () => {}
  const directory = createAccountDirectory({
    stateOf: (slice, key) => (states.get(key) as never) ?? slice.initialState,
    onChange: (listener) => {
      changed = listener
    },
  })
  const apply = (key: string, event: ConnectorAccountsEvent): void => {
    states.set(key, connectorAccounts.evolve(states.get(key) ?? connectorAccounts.initialState, event))
    changed(key)
  }
  const owner = (merchantId: string, merchantRegistrationCount = 1) => ({ merchantId, merchantRegistrationCount })
  apply('b', stored('m1', 'b'))
  apply('a', stored('m1', 'a'))
  expect(directory.accountsOf(owner('m1'))).toHaveLength(2)
  apply('a', stored('m2', 'a'))
  expect([directory.accountsOf(owner('m1')).length, directory.accountsOf(owner('m2')).length]).toEqual([1, 1])
  expect(directory.accountsOf(owner('m2', 2))).toEqual([])
  apply('b', { type: 'ConnectorCredentialRemoved', data: { ...place, accountId: 'b', merchantId: 'm1', at: 20 } })
  expect(directory.accountsOf(owner('m1'))).toEqual([])
})

describe('what a secret is recognised by (cost.md 3.1)', () => {
  test.each([
    ['', '—'],
    ['1234', '••••'],
    ['12345', '••••2345'],
  ])('%s', (text, hint) => {
    expect(secretHintOf(text)).toBe(hint)
    expect(downloadHintOf(text)).toBe(hint)
  })

  test.each([
    ['user:password', 'user:••••'],
    ['{"secret_key":"sk_1"}', '••••'],
  ])('what fetches reports: %s', (text, hint) => {
    expect(downloadHintOf(text)).toBe(hint)
  })
})
