import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, describe, expect, test } from '@jest/globals'
import { adyenReport, endlessReport } from '../support/adyen-report.ts'
import { createMerchant, eventually } from '../support/client.ts'
import { createCostClient } from '../support/cost-client.ts'
import { type RunningServer, startStandalone, temporaryFolder } from '../support/server.ts'
import { seededRandom } from './seeded-random.ts'

const SEED = Number(process.env['FAULT_SEED'] ?? Date.now() % 1_000_000)
/** Fewer than a report is tried. */
const KILL_COUNT = 4
const ROW_COUNT = 150_000

const folder = temporaryFolder()
const spooled = (): readonly string[] => readdirSync(join(folder.path, 'spool'))
afterAll(() => folder.remove())

describe(`kill -9 while reports are taken in (FAULT_SEED=${SEED})`, () => {
  const random = seededRandom(SEED)
  let server: RunningServer

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
    await eventually(
      'an empty spool',
      () => client.get('cost-ingestions'),
      () => spooled().length === 0,
    )
  }, 120_000)

  test(`in the middle of reading, of recording and of a fit, ${KILL_COUNT} times: the report counts once`, async () => {
    const merchant = await createMerchant(server.url, 'm_read')
    const client = createCostClient(() => server.url, merchant)
    const file = adyenReport({ count: ROW_COUNT, pctBps: 120, fixed: 0.1, date: '2026-01-05' })
    const id = await client.upload('adyen', 'A', file)
    for (let kill = 0; kill < KILL_COUNT; kill++) {
      await eventually(
        'an attempt',
        () => client.get(`cost-ingestions/${id}`),
        ({ json }) => json.attempts > kill || json.status === 'completed',
      )
      await new Promise((resolve) => setTimeout(resolve, random() * 2_500))
      await server.kill()
      server = await startStandalone({ dataDir: folder.path })
    }
    const { json } = await eventually(
      'the end',
      () => client.get(`cost-ingestions/${id}`),
      (answer) => answer.json.status === 'completed',
    )
    expect(json).toMatchObject({ staged_rows: ROW_COUNT, total_clusters: 1, good_clusters: 1 })
    expect((await client.get('cost-clusters')).json).toMatchObject([{ n: ROW_COUNT, verdict: 'GOOD' }])
    await eventually(
      'an empty spool',
      () => client.get('cost-ingestions'),
      () => spooled().length === 0,
    )
    expect((await client.remove(`cost-ingestions/${id}`)).status).toBe(204)
    expect((await client.get('cost-clusters')).json).toEqual([])
    expect(await server.stop()).toBe(0)
  }, 240_000)

  test('what is deleted while it is read ends, and does not count', async () => {
    server = await startStandalone({ dataDir: folder.path })
    const client = createCostClient(() => server.url, await createMerchant(server.url, 'm_delete'))
    const id = await client.upload('adyen', 'A', adyenReport({ count: ROW_COUNT, pctBps: 120, fixed: 0.1, date: '2026-01-05' }))
    await eventually(
      'an attempt',
      () => client.get(`cost-ingestions/${id}`),
      ({ json }) => json.attempts > 0,
    )
    expect((await client.remove(`cost-ingestions/${id}`)).status).toBe(204)
    expect((await client.get('cost-ingestions')).json).toEqual([])
    await eventually(
      'an empty spool',
      () => client.get('cost-ingestions'),
      () => spooled().length === 0,
    )
    const next = await client.ingest('adyen', 'A', adyenReport({ count: 300, pctBps: 120, fixed: 0.1, date: '2026-01-05' }))
    expect(next).toMatchObject({ status: 'completed', total_clusters: 1 })
    expect((await client.get('cost-clusters')).json).toMatchObject([{ n: 300 }])
    expect(await server.stop()).toBe(0)
  }, 120_000)
})
