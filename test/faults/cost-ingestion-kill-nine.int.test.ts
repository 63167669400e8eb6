import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, describe, expect, test } from '@jest/globals'
import { costProjections } from '@switchyard/composition'
import type { SettledPayment } from '../../demo/settlements/payments.mjs'
import { reportChunks } from '../../demo/settlements/report.mjs'
import { cardKinds, createAccount } from '../../demo/settlements/world.mjs'
import { adyenReport, endlessReport } from '../support/adyen-report.ts'
import { createMerchant, eventually, type TestMerchant } from '../support/client.ts'
import { type CostClient, createCostClient } from '../support/cost-client.ts'
import { openCostLog } from '../support/cost-log.ts'
import { differingKeys, openLeftBehind, projectAnew } from '../support/replay.ts'
import { type RunningServer, startStandalone, temporaryFolder } from '../support/server.ts'

const ROW_COUNT = 33_000
/** More than one append of a fit holds. */
const CLUSTER_COUNT = 11_000
const DAY_MS = Date.UTC(2026, 0, 5)
/** A step that was over before the process was gone is tried again, with another merchant. */
const TRY_COUNT_MAX = 5
/** Reading, recording and learning once more. */
const ANEW_MAX_MS = 90_000

const folder = temporaryFolder()
const spooled = (): readonly string[] => readdirSync(join(folder.path, 'spool'))
afterAll(() => folder.remove())

/** A report of many clusters, so that its sums and what is learned of them take many events. */
const largeReport = (): string => {
  const account = createAccount({ seed: 1, connector: 'adyen', account: 'A', kinds: cardKinds({ seed: 1, count: CLUSTER_COUNT }) })
  const payments = function* (): Generator<SettledPayment> {
    for (let index = 0; index < ROW_COUNT; index++) {
      const cluster = account.clusters[index % CLUSTER_COUNT]
      const fee = { interchange: 0.2, scheme: 0.1, markup: 0.1 }
      if (cluster) yield { index, cluster, amount: 20 + index / 100, fee, dayMs: DAY_MS, isRefunded: false, isChargedBack: false }
    }
  }
  return [...reportChunks(account, payments())].join('')
}

describe('kill -9 while reports are taken in', () => {
  let server: RunningServer
  const emptySpool = (client: CostClient) =>
    eventually(
      'an empty spool',
      () => client.get('cost-ingestions'),
      () => spooled().length === 0,
    )

  test('in the middle of an upload: nothing is accepted, and nothing of it stays', async () => {
    server = await startStandalone({ dataDir: folder.path })
    const merchant = await createMerchant(server.url, 'm_upload')
    const client = createCostClient(() => server.url, merchant)
    const bytes = Readable.from(endlessReport(1_000_000_000))
    const upload = fetch(`${server.url}/merchant-account/${merchant.id}/connectors/adyen/report?account=A`, {
      method: 'POST',
      headers: merchant.key,
      body: Readable.toWeb(bytes) as ReadableStream,
      duplex: 'half',
    } as RequestInit).catch(() => 'cut')
    await eventually(
      'a half of the file',
      () => client.get('cost-ingestions'),
      () => spooled().some((name) => name.endsWith('.part')),
    )
    await server.kill()
    expect(await upload).toBe('cut')
    server = await startStandalone({ dataDir: folder.path })
    expect((await client.get('cost-ingestions')).json).toEqual([])
    await emptySpool(client)
  }, 120_000)

  const report = largeReport()

  /** Uploads, kills the process once an event is there; what was recorded by then. */
  const killBehind = async (merchant: TestMerchant, type: string): Promise<{ readonly id: string; readonly types: readonly string[] }> => {
    const log = openCostLog(folder.path)
    const id = await createCostClient(() => server.url, merchant).upload('adyen', 'A', report)
    await log.until(merchant.id, type)
    await server.kill()
    const types = await log.typesOf(merchant.id)
    await log.close()
    server = await startStandalone({ dataDir: folder.path })
    return { id, types }
  }

  test.each([
    ['in the middle of reading', 'IngestionStarted', 'ReportContributionTaken'],
    ['in the middle of recording what was read', 'ReportContributionTaken', 'SettlementReportIngested'],
    ['between a report and its fit', 'SettlementReportIngested', 'CostModelFitted'],
    ['in the middle of recording a fit', 'CostModelFitted', 'IngestionFitted'],
  ])(
    '%s: the report counts once',
    async (step, type, next) => {
      let tried = 0
      for (;;) {
        const merchant = await createMerchant(server.url, `m_${type}_${tried}`)
        const client = createCostClient(() => server.url, merchant)
        const { id, types } = await killBehind(merchant, type)
        const completed = await eventually(
          'the end',
          () => client.get(`cost-ingestions/${id}`),
          ({ json }) => json.status === 'completed',
          ANEW_MAX_MS,
        )
        expect(completed.json).toMatchObject({ staged_rows: ROW_COUNT, total_clusters: CLUSTER_COUNT })
        const { json: coverage } = await client.get('cost-coverage')
        expect(coverage).toMatchObject({ total_clusters: CLUSTER_COUNT, total_txns: ROW_COUNT })
        await emptySpool(client)
        if (!types.includes(next)) return
        tried += 1
        if (tried === TRY_COUNT_MAX) throw new Error(`${step}: ${next} stood in the log ${tried} times before the process was gone`)
      }
    },
    240_000,
  )

  test('what is stored is what the log tells', async () => {
    expect(await server.stop()).toBe(0)
    const left = openLeftBehind(folder.path)
    const { store } = await projectAnew(left.log)
    for (const { name } of costProjections)
      expect([name, await differingKeys(left.store, store, name)]).toEqual([name, expect.objectContaining({ differing: [] })])
    await left.close()
    await store.close()
  }, 120_000)

  test('what is deleted while it is read ends, and does not count', async () => {
    server = await startStandalone({ dataDir: folder.path })
    const client = createCostClient(() => server.url, await createMerchant(server.url, 'm_delete'))
    const id = await client.upload('adyen', 'A', report)
    await eventually(
      'an attempt',
      () => client.get(`cost-ingestions/${id}`),
      ({ json }) => json.attempts > 0,
    )
    expect((await client.remove(`cost-ingestions/${id}`)).status).toBe(204)
    expect((await client.get('cost-ingestions')).json).toEqual([])
    await emptySpool(client)
    const next = await client.ingest('adyen', 'A', adyenReport({ count: 300, pctBps: 120, fixed: 0.1, date: '2026-01-05' }))
    expect(next).toMatchObject({ status: 'completed', total_clusters: 1 })
    expect((await client.get('cost-clusters')).json).toMatchObject([{ n: 300 }])
    expect(await server.stop()).toBe(0)
  }, 120_000)
})
