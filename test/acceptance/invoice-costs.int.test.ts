import { beforeAll, describe, expect, test } from '@jest/globals'
import { settledPayments } from '../../demo/settlements/payments.mjs'
import { reportChunks } from '../../demo/settlements/report.mjs'
import { linesOf } from '../../demo/settlements/tariff.mjs'
import { cardKinds, createAccount } from '../../demo/settlements/world.mjs'
import { call, createMerchant, decisionRequest, eventually, type TestMerchant } from '../support/client.ts'
import { useServer } from '../support/server.ts'

const AMOUNT = 60
const DAY_COUNT = 20
const MS_PER_DAY = 86_400_000
const PAYMENT_COUNT = 2000
const [kind] = cardKinds({ seed: 1, count: 1 })
if (kind === undefined) throw new Error('there is no kind of cards')
const account = createAccount({ seed: 1, connector: 'adyen', account: 'Shop', kinds: [kind] })
const dayAgo = (days: number): string => new Date(Date.now() - days * MS_PER_DAY).toISOString().slice(0, 10)
const settlements = [...settledPayments({ seed: 2, account, count: PAYMENT_COUNT, firstDay: dayAgo(DAY_COUNT + 1), dayCount: DAY_COUNT })]
const total = (of: (payment: (typeof settlements)[number]) => number): number => settlements.reduce((sum, payment) => sum + of(payment), 0)

const server = useServer()
let merchant: TestMerchant
let paymentNumber = 0

const at = (path: string) => `/merchant-account/${merchant.id}/${path}`
const get = (path: string) => call(server.url, `GET ${at(path)}`, { headers: merchant.key })
const send = (path: string, body: string) =>
  call(server.url, `POST ${at(path)}`, { headers: { ...merchant.key, 'content-type': 'text/csv' }, body })

/** Cost of one payment on adyen as the decision sees it, bps; undefined when it is not priced. */
const costOnAdyen = async (): Promise<number | undefined> => {
  paymentNumber += 1
  const body = decisionRequest(
    merchant.id,
    `p${paymentNumber}`,
    { enableMultiObjective: true, eligibleGatewayList: ['adyen', 'other'] },
    {
      amount: AMOUNT,
      currency: kind.currency,
      paymentMethod: kind.funding.toUpperCase(),
      cardType: kind.funding.toUpperCase(),
      cardSwitchProvider: kind.network.toUpperCase(),
      cardProgram: 'standard',
      cardIssuerCountry: kind.country.alpha2,
      cardIsin: kind.bin,
    },
  )
  const { json } = await call(server.url, 'POST /decide-gateway', { headers: merchant.key, body })
  const ranked: readonly { readonly psp: string; readonly costBps: number }[] = json.multi_objective_info?.ranked ?? []
  return ranked.find(({ psp }) => psp === 'adyen')?.costBps
}
/** Asks until the cost is as it should be: the model follows the log. */
const costWhen = async (what: string, accepts: (cost: number) => boolean): Promise<number> => {
  let cost: number | undefined
  const ask = async () => {
    cost = await costOnAdyen()
    return { status: 200, headers: new Headers(), text: `it is ${cost}`, json: undefined }
  }
  await eventually(`a cost of ${what}`, ask, () => cost !== undefined && accepts(cost))
  return cost ?? Number.NaN
}
const eventuallyCosts = (expected: number): Promise<number> => costWhen(`${expected} bps`, (cost) => Math.abs(cost - expected) < 0.01)

beforeAll(async () => {
  merchant = await createMerchant(server.url)
  await send('connectors/adyen/report?account=Shop', [...reportChunks(account, settlements)].join(''))
  await eventually(
    'the report',
    () => get('cost-ingestions'),
    ({ json }) => json[0]?.status === 'completed',
  )
})

describe('invoices and the costs that decisions reckon with (cost.md 11, 14)', () => {
  test('what an invoice adds comes on top of what was learned, until it is removed', async () => {
    const [truth] = linesOf(account.clusters[0]?.tariff ?? { interchange: [], scheme: { bps: 0, fixed: 0 }, markup: { bps: 0, fixed: 0 } })
    const learned = await costWhen('any', () => true)
    expect(Math.abs(learned - ((truth?.pctBps ?? 0) + ((truth?.fixed ?? 0) / AMOUNT) * 10_000))).toBeLessThan(1)

    // 0.06 a payment, and 20 bps of the turnover: the reports tell how much that was.
    const invoice = `Description,Amount,Currency\nProcessing fees,${0.06 * PAYMENT_COUNT},${kind.currency}\nManagement,${0.002 * total(({ amount }) => amount)},${kind.currency}\n`
    const answer = await send('connectors/adyen/invoice?account=Shop', invoice)
    expect(answer.json).toMatchObject({ card_volume: null, txn_count: null, currency: kind.currency })
    expect(answer.json.fixed_addon).toBeCloseTo(0.06, 6)
    expect(answer.json.pct_addon_bps).toBeCloseTo(20, 4)
    await eventuallyCosts(learned + 20 + (0.06 / AMOUNT) * 10_000)
    const [cluster] = (await get('cost-clusters')).json
    expect(cluster.effective_pct_bps - cluster.model_pct_bps).toBeCloseTo(20, 4)
    expect(cluster.effective_fixed - cluster.model_fixed).toBeCloseTo(0.06, 6)

    await call(server.url, `DELETE ${at('connectors/adyen/invoice-addon')}`, { headers: merchant.key })
    await eventuallyCosts(learned)
  })

  test('an invoice is compared with what the reports tell of its period', async () => {
    const settled = total(({ fee }) => Number(fee.interchange.toFixed(6)) + Number(fee.scheme.toFixed(6)) + Number(fee.markup.toFixed(6)))
    const invoice = `Description,Amount,Currency\nPayment method fees,${settled},${kind.currency}\nManagement,100,${kind.currency}\n`
    const ofAll = `period_start=${dayAgo(DAY_COUNT + 1)}&period_end=${dayAgo(1)}`
    await send(`connectors/adyen/invoice?account=Shop&${ofAll}`, invoice)
    const [compared] = (await get('invoice-reconciliation')).json
    expect(compared).toMatchObject({ connector: 'adyen', account: 'Shop', currency: kind.currency })
    expect(compared.model_captured).toBeCloseTo(settled, 2)
    expect(compared.addon_contribution).toBeCloseTo(100, 6)
    expect(compared.residual).toBeCloseTo(0, 2)
    expect(compared.coverage_after).toBeCloseTo(1, 6)

    await send('connectors/adyen/invoice?account=Shop&period_start=2020-01-01&period_end=2020-01-31', invoice)
    expect((await get('invoice-reconciliation')).json).toMatchObject([{ model_captured: 0, coverage_before: 0 }])
  })
})
