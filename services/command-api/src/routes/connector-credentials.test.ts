import { expect, test } from '@jest/globals'
import { merchants } from '@switchyard/access'
import type { Identity } from '@switchyard/http'
import { connectorCredentialRoutes } from './connector-credentials.ts'

const KEY: Identity = { kind: 'key', keyId: 'k_1', merchantId: 'm_1', admin: false }
const body = { account: 'ShopEU', webhook_secret: 'secret', download_auth: 'secret' }

/** Stores credentials where another merchant has registered the id, and this process hears of it only as it looks. */
const storeWhereBegunAnew = async (identity: Identity) => {
  const sent: unknown[] = []
  let merchant = { ...merchants.initialState, registered: true, registrationCount: 1 }
  const routes = connectorCredentialRoutes({
    handle: async (slice, { command }) => {
      sent.push(command)
      return { accepted: true, state: slice.initialState, position: undefined }
    },
    states: {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the state of merchants is one of those that are asked for
      stateOf: <State>(slice: { readonly name: string; readonly initialState: State }) =>
        slice.name === merchants.name ? (merchant as State) : slice.initialState,
      readIndex: async () => {},
      readIndexOfAll: async () => {
        merchant = { ...merchant, registrationCount: 2 }
      },
    },
    accounts: { accountsOf: () => [] },
    cipher: { seal: async (_, text) => text },
    now: () => 1,
  })
  const route = routes.find(({ spec }) => spec.method === 'POST')
  const reply = await route?.handle({
    params: { merchantId: 'm_1', connector: 'adyen' },
    query: new URLSearchParams(),
    body,
    headers: {},
    identity,
    requestId: 'req_1',
    receivedAt: 0,
    remoteAddress: () => '127.0.0.1',
  })
  return { status: reply?.status, sent }
}

test('a key of a merchant that was closed stores no credentials for the one that has its id now', async () => {
  expect(await storeWhereBegunAnew(KEY)).toEqual({ status: 404, sent: [] })
  expect(await storeWhereBegunAnew({ kind: 'admin' })).toMatchObject({ status: 200, sent: [{ merchantRegistrationCount: 2 }] })
})
