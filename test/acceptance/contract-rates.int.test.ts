import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import { call, createMerchant, decisionRequest } from '../support/client.ts'
import { runToEnd, startServer, temporaryFolder } from '../support/server.ts'

const folder = temporaryFolder()
afterAll(folder.remove)

const CSV = `psp,card_network,interchange_bps,scheme_bps,markup_bps,fixed
stripe,,100,10,20,0.30
stripe,amex,200,0,50,0.30
adyen,,0,0,290,0.35
`
const rates = join(folder.path, 'rates.csv')
const OF_DEPLOYMENT = [
  ['stripe', null, true, 130],
  ['stripe', 'amex', false, 250],
  ['adyen', null, true, 290],
]

describe('rates by contract of the deployment (cost.md 13)', () => {
  test('hold for merchants that told none, and again when theirs are taken back', async () => {
    writeFileSync(rates, CSV)
    const env = { SWITCHYARD_CONTRACT_RATES_FILE: rates, SWITCHYARD_CONTRACT_RATES_DECIDE: 'true' }
    const server = await startServer({ dataDir: join(folder.path, 'data'), env })
    const { id, key } = await createMerchant(server.url)
    const ask = async (request: string, body?: object) =>
      (await call(server.url, request.replace(' ', ` /merchant-account/${id}/`), { headers: key, ...(body && { body }) })).json
    const table = async (request: string, body?: object) =>
      (await ask(request, body)).map((row: Record<string, unknown>) => [
        row['psp'],
        row['card_network'],
        row['is_default'],
        row['effective_pct_bps'],
      ])
    const simulated = async () => (await ask('POST seed-costs/simulate', { amount: 100, psps: ['stripe'] }))[0].effective_cost_bps
    let payments = 0
    const weighed = async (): Promise<readonly object[]> => {
      for (;;) {
        const change = { enableMultiObjective: true, eligibleGatewayList: ['stripe', 'adyen'] }
        const body = decisionRequest(id, `p_${++payments}`, change, { amount: 100 })
        const { json } = await call(server.url, 'POST /decide-gateway', { body, headers: key })
        if (!json.routing_approach.endsWith('HEDGING')) return json.multi_objective_info.ranked
      }
    }

    expect(await table('GET seed-costs')).toEqual(OF_DEPLOYMENT)
    expect(await simulated()).toBe(160)
    expect(await weighed()).toMatchObject([
      { psp: 'stripe', costBps: 160, costSource: 'SEED' },
      { psp: 'adyen', costBps: 325, costSource: 'SEED' },
    ])
    const rows = ['stripe', 'adyen'].map((psp) => ({ psp, interchange_bps: 1, scheme_bps: 2, markup_bps: 3, fixed: 0 }))
    expect(await table('PUT seed-costs', { rows })).toEqual([
      ['stripe', null, true, 6],
      ['adyen', null, true, 6],
    ])
    expect(await simulated()).toBe(6)
    expect(await weighed()).toMatchObject([{ costBps: 6 }, { costBps: 6 }])
    expect(await table('DELETE seed-costs')).toEqual(OF_DEPLOYMENT)
    expect(await table('PUT seed-costs', { rows: [] })).toEqual(OF_DEPLOYMENT)
    expect(await simulated()).toBe(160)
    await server.stop()
  })

  test.each([
    [CSV.replace('0.35', '-1'), 'line 4: fixed: must be a number of at least 0'],
    [CSV.replace('adyen', ''), 'line 4: psp: must not be empty'],
    [CSV.replace('card_network', 'network'), 'line 2'],
    [CSV.replace(',fixed', ''), 'not valid'],
  ])('that are none stop the start, which says why (%#)', async (csv, text) => {
    writeFileSync(rates, csv)
    const { code, output } = await runToEnd({ dataDir: join(folder.path, 'other'), env: { SWITCHYARD_CONTRACT_RATES_FILE: rates } })
    expect(code).not.toBe(0)
    expect(output).toContain(text)
  })
})
