import { describe, expect, test } from '@jest/globals'
import { type DemoClient, drive } from './drive.mjs'
import { createLedger } from './ledger.mjs'
import { createMarket } from './market.mjs'

const PAYMENT_COUNT = 150
const market = createMarket({ seed: 1, paymentCount: PAYMENT_COUNT })
const refused = (status: number): Error => Object.assign(new Error(`status ${status}`), { status })
const decision = { decided_gateway: 'harbor', routing_approach: 'SR_SELECTION_V3_ROUTING', gateway_priority_map: { harbor: 0.5 } }

interface Call {
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
}

/** A router that always answers `harbor`, unless `fail` says otherwise for the n-th call. */
const routerOf = (fail: (callNumber: number) => Error | null): DemoClient & { readonly calls: readonly Call[] } => {
  const calls: Call[] = []
  const post: DemoClient['post'] = async (path, { body }) => {
    const failure = fail(calls.push({ path, body }))
    if (failure !== null) throw failure
    return decision
  }
  return { post, calls }
}

const run = (client: DemoClient, ledger = createLedger(PAYMENT_COUNT)): ReturnType<typeof drive> =>
  drive({ client, merchant: { merchantId: 'm', headers: {} }, market, ledger, concurrency: 64, onProgress: () => undefined })

describe('driving the router', () => {
  test('every payment is decided once, then its outcome is reported once, for the gateway that was decided', async () => {
    const router = routerOf(() => null)
    const ledger = createLedger(PAYMENT_COUNT)
    const { lostCount, latenciesMs } = await run(router, ledger)
    expect(lostCount).toBe(0)
    expect(latenciesMs).toHaveLength(PAYMENT_COUNT)
    const reports = router.calls.filter(({ path }) => path === '/update-gateway-score').map(({ body }) => body)
    expect(new Set(reports.map(({ paymentId }) => paymentId)).size).toBe(PAYMENT_COUNT)
    expect(router.calls).toHaveLength(2 * PAYMENT_COUNT)
    for (const { gateway } of reports) expect(gateway).toBe('harbor')
    expect(ledger.scoreOf(0, 'harbor')).toBe(0.5)
  })

  test('what is reported is what the market says', async () => {
    const router = routerOf(() => null)
    await run(router)
    const charged = router.calls.filter(({ body }) => body['status'] === 'CHARGED').length
    const approved = Array.from({ length: PAYMENT_COUNT }, (_, index) => market.isApproved('harbor', market.paymentAt(index))).filter(
      Boolean,
    )
    expect(charged).toBe(approved.length)
  })

  test('a server error is tried again', async () => {
    const router = routerOf((callNumber) => (callNumber === 1 ? refused(503) : null))
    expect((await run(router)).lostCount).toBe(0)
  })

  test('a payment that is refused is lost, and the run goes on', async () => {
    const router = routerOf((callNumber) => (callNumber === 1 ? refused(400) : null))
    const ledger = createLedger(PAYMENT_COUNT)
    expect((await run(router, ledger)).lostCount).toBe(1)
    expect(
      Array.from({ length: PAYMENT_COUNT }, (_, index) => ledger.gatewayOf(index)).filter((gateway) => gateway === undefined),
    ).toHaveLength(1)
  })

  test('a server that refuses everything breaks the run off with its own words', async () => {
    await expect(run(routerOf(() => refused(401)))).rejects.toThrow('status 401')
  })
})
