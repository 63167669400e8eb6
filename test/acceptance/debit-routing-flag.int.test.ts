import { beforeEach, describe, expect, test } from '@jest/globals'
import { admin, call, createMerchant, type TestMerchant } from '../support/client.ts'
import { debitClient, HYBRID, NETWORK } from '../support/debit-client.ts'
import { useServer } from '../support/server.ts'

const server = useServer()
let merchant: TestMerchant
beforeEach(async () => {
  merchant = await createMerchant(server.url)
})

const { setFlag, decide } = debitClient(
  () => server.url,
  () => merchant,
)
const flagPath = (id: string) => `/merchant-account/${id}/debit-routing`
const readFlag = (id = merchant.id) => call(server.url, `GET ${flagPath(id)}`, { headers: merchant.key })

describe('the debit-routing flag (network.md 1.1)', () => {
  test('is off at first, is set and unset, repeatedly too, and stays', async () => {
    const off = { merchant_id: merchant.id, debit_routing_enabled: false }
    const on = { ...off, debit_routing_enabled: true }
    expect((await readFlag()).json).toEqual(off)
    for (const [enabled, expected] of [
      [false, off],
      [true, on],
      [true, on],
      [false, off],
      [true, on],
    ] as const) {
      expect(await setFlag(enabled)).toMatchObject({ status: 200, json: expected })
      expect((await readFlag()).json).toEqual(expected)
    }
  })

  test('every decision honours it as it stands', async () => {
    for (const enabled of [false, true, false]) {
      await setFlag(enabled)
      for (const algorithm of [NETWORK, HYBRID]) expect((await decide(algorithm)).status).toBe(enabled ? 200 : 400)
    }
  })

  test('an unknown merchant is not found, with whatever credential; another one is foreign', async () => {
    const notFound = { code: 'TE_04', message: 'MerchantId not found', data: null }
    for (const headers of [merchant.key, admin]) {
      expect(await call(server.url, `GET ${flagPath('m_none')}`, { headers })).toMatchObject({ status: 404, json: notFound })
      expect(await call(server.url, `POST ${flagPath('m_none')}`, { body: { enabled: true }, headers })).toMatchObject({
        status: 404,
        json: notFound,
      })
    }
    const other = await createMerchant(server.url)
    expect((await readFlag(other.id)).status).toBe(403)
  })

  test.each([
    ['no flag', {}, 422],
    ['no boolean', { enabled: 'true' }, 422],
    ['no JSON', '{', 400],
  ])('%s is refused', async (_name, body, status) => {
    expect((await call(server.url, `POST ${flagPath(merchant.id)}`, { body, headers: merchant.key })).status).toBe(status)
  })

  test('another content type is refused', async () => {
    expect((await setFlag(true, { 'content-type': 'text/plain' })).status).toBe(415)
  })
})
