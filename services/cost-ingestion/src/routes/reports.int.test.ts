import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { createGate, createHttpServer, createSessionTokens, type Route } from '@switchyard/http'
import { createSpool, type Spool } from '../spool.ts'
import { reportRoutes } from './reports.ts'

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

/** The upload, of so many bytes at most. */
const uploadOf = (routes: readonly Route[], streamBytesMax: number): readonly Route[] =>
  routes.filter(({ spec }) => spec.body === 'stream').map((route) => ({ ...route, spec: { ...route.spec, streamBytesMax } }))

test('a report that was larger than one may be lay in the spool until the next start, with all that fits', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-spool-'))
  const accept = () => Promise.reject(new Error('nothing is accepted'))
  const states = { stateOf: <State>({ initialState }: { readonly initialState: State }): State => initialState }
  let sendRest = (): void => {}
  const spool = createSpool(folder)
  const keep: Spool['keep'] = (id, bytes, byteCountMax) => {
    const told = async function* () {
      for await (const chunk of bytes) {
        yield chunk
        sendRest()
      }
    }
    return spool.keep(id, told(), byteCountMax)
  }
  const routes = reportRoutes({ operations: { accept }, states, spool: { ...spool, keep }, newId, samplesDir: undefined })
  const server = createHttpServer({ routes: uploadOf(routes, 8), gate, newId, now, logger: { error: () => {} } })
  const { url } = await server.listen(0, '127.0.0.1')
  try {
    const body = new ReadableStream({
      start: (controller) => {
        controller.enqueue(Buffer.from('12345'))
        sendRest = () => {
          controller.enqueue(Buffer.from('67890'))
          controller.close()
        }
      },
    })
    const headers = { 'x-admin-secret': 'test_admin' }
    const address = `${url}/merchant-account/m1/connectors/adyen/report?account=A`
    expect((await fetch(address, { method: 'POST', headers, body, duplex: 'half' })).status).toBe(413)
    expect(readdirSync(folder)).toEqual([])
  } finally {
    await server.close()
    rmSync(folder, { recursive: true })
  }
})
