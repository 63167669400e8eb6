import { expect, test } from '@jest/globals'
import { createGate, createHttpServer, createSessionTokens } from '@switchyard/http'
import { INVOICES_OF_MERCHANT_MAX } from '../limits.ts'
import type { InvoiceRouteDependencies } from './invoice-commands.ts'
import { invoiceUploadRoute } from './invoice-upload.ts'

const now = (): number => 1_760_000_000_000
const newId = (): string => 'one'

const gate = createGate({
  directory: {
    keyByHash: () => undefined,
    expectMerchantOf: () => {},
    standingOf: () => ({ running: false, unknown: false }),
    hasMerchant: () => true,
  },
  tokens: createSessionTokens({ secret: 's'.repeat(32), now, newId, lifetimeMs: 1, handoffLifetimeMs: 1 }),
  adminSecret: 'test_admin',
  tenants: ['public'],
  now,
})

test('invoices that came at the same time were all held in memory, 32 MiB each, however many there were', async () => {
  let begunCount = 0
  let allBegun = (): void => {}
  const begun = new Promise<void>((resolve) => {
    allBegun = resolve
  })
  const stateOf = <State>({ initialState }: { readonly initialState: State }): State => {
    begunCount += 1
    if (begunCount === INVOICES_OF_MERCHANT_MAX) allBegun()
    return initialState
  }
  const never = (): never => {
    throw new Error('is not asked')
  }
  const dependencies: InvoiceRouteDependencies = {
    invoices: { read: async () => ({ ok: false, problem: 'is none' }) },
    states: { stateOf, readIndex: never },
    readSettledDays: never,
    handle: never,
    now,
  }
  const server = createHttpServer({ routes: [invoiceUploadRoute(dependencies)], gate, newId, now, logger: { error: () => {} } })
  const { url } = await server.listen(0, '127.0.0.1')
  const send = (merchantId: string, body: string | ReadableStream): Promise<Response> => {
    const headers = { 'x-admin-secret': 'test_admin' }
    const address = `${url}/merchant-account/${merchantId}/connectors/adyen/invoice?account=A`
    return fetch(address, { method: 'POST', headers, body, duplex: 'half' })
  }
  const closing: (() => void)[] = []
  const slow = Array.from({ length: INVOICES_OF_MERCHANT_MAX }, () => {
    const body = new ReadableStream({
      start: (controller) => {
        controller.enqueue(Buffer.from('a'))
        closing.push(() => controller.close())
      },
    })
    return send('m1', body)
  })
  try {
    await begun
    expect([(await send('m1', 'a')).status, (await send('m2', 'a')).status]).toEqual([503, 422])
    for (const close of closing) close()
    expect((await Promise.all(slow)).map(({ status }) => status)).toEqual(slow.map(() => 422))
    expect((await send('m1', 'a')).status).toBe(422)
  } finally {
    await server.close()
  }
})
