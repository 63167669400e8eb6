import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import {
  type CostModelFitted,
  type CostsEvent,
  type ReadEvent,
  type ReportContributionTaken,
  readEvents,
  type SettlementReportIngested,
} from '@switchyard/events'
import { createEmbeddedLog } from '@switchyard/log-embedded'
import { adyenReport } from '../support/adyen-report.ts'
import { admin, call, createMerchant, type TestMerchant } from '../support/client.ts'
import { type CostClient, createCostClient } from '../support/cost-client.ts'
import { type RunningServer, startServer, temporaryFolder } from '../support/server.ts'

const MS_PER_DAY = 86_400_000
const SHAPE = { count: 250, pctBps: 120, fixed: 0.1 }
const DAYS = ['2026-01-05', '2026-01-06', '2026-01-07'] as const

/** A report as docs/consuming-events.md tells it from the topic, and from nothing else. */
interface Report {
  readonly status: 'pending' | 'processing' | 'ingested' | 'completed' | 'failed' | 'deleted'
  readonly version: number
  readonly claimId: string
  readonly acceptedOffset: number
  readonly coversWholeDays: boolean
  readonly ingested: SettlementReportIngested['data'] | null
}

const ABSENT: Report = { status: 'failed', version: 0, claimId: '', acceptedOffset: 0, coversWholeDays: true, ingested: null }

const isMoving = ({ status }: Report): boolean => status === 'pending' || status === 'processing'
const isOver = ({ status }: Report): boolean => status === 'deleted'

const underClaim = (report: Report, event: CostsEvent): Report => {
  if (!('claimId' in event.data) || report.status !== 'processing' || report.claimId !== event.data.claimId) return report
  if (event.type === 'SettlementReportIngested') return { ...report, status: 'ingested', ingested: event.data }
  if (event.type !== 'IngestionFailed') return report
  return { ...report, status: event.data.retryAt === null ? 'failed' : 'pending', version: report.version + 1, claimId: '' }
}

const next = (report: Report, { event, position, expectedVersion }: ReadEvent<CostsEvent>): Report => {
  if (expectedVersion !== undefined && expectedVersion !== report.version) return report
  const version = report.version + 1
  switch (event.type) {
    case 'SettlementReportAccepted': {
      const { coversWholeDays } = event.data
      return report.status === 'failed'
        ? { ...ABSENT, status: 'pending', version, coversWholeDays, acceptedOffset: position.offset }
        : report
    }
    case 'IngestionStarted':
      return isMoving(report) ? { ...report, status: 'processing', version, claimId: event.data.claimId } : report
    case 'IngestionFitted':
      return report.status === 'ingested' ? { ...report, status: 'completed' } : report
    case 'IngestionDeleted':
      return isOver(report) ? report : { ...report, status: 'deleted', version }
    default:
      return underClaim(report, event)
  }
}

interface Folded {
  readonly reports: Map<string, Report>
  readonly chunks: ReportContributionTaken['data'][]
  readonly fits: Map<string, CostModelFitted['data']>
}

const folder = temporaryFolder()
const dataDir = join(folder.path, 'data')
let server: RunningServer
let merchant: TestMerchant
let client: CostClient

/** The topic `costs` of the second registration of the merchant, read beside the running service. */
const folded = async (): Promise<Folded> => {
  const log = createEmbeddedLog({ folder: join(dataDir, 'log'), role: 'reader' })
  const all: Folded = { reports: new Map(), chunks: [], fits: new Map() }
  for await (const read of readEvents({ source: log, topic: 'costs', merchantId: merchant.id })) {
    const { event } = read
    if (event.data.merchantRegistrationCount !== 2) continue
    if (event.type === 'CostModelFitted') all.fits.set(event.data.account, event.data)
    if (event.type === 'ReportContributionTaken') all.chunks.push(event.data)
    if (!('ingestionId' in event.data)) continue
    const { ingestionId } = event.data
    all.reports.set(ingestionId, next(all.reports.get(ingestionId) ?? ABSENT, read))
  }
  await log.close()
  return all
}

/** Value of each day that counts, by the contributions of reports. */
const daysOf = ({ reports, chunks }: Folded): ReadonlyMap<number, number> => {
  const days = new Map<number, number>()
  const inOrder = [...reports].toSorted(([, one], [, other]) => one.acceptedOffset - other.acceptedOffset)
  for (const [id, { status, ingested, coversWholeDays }] of inOrder) {
    if (status !== 'completed' || ingested === null) continue
    const own = new Map<number, number>()
    const counted = chunks.filter(({ ingestionId, claimId }) => ingestionId === id && claimId === ingested.claimId)
    for (const { epochDay, sx } of counted.flatMap(({ buckets }) => buckets)) own.set(epochDay, (own.get(epochDay) ?? 0) + sx)
    for (const [day, value] of own) days.set(day, coversWholeDays ? value : (days.get(day) ?? 0) + value)
  }
  return days
}

beforeAll(async () => {
  server = await startServer({ dataDir })
  const { id } = await createMerchant(server.url, 'm_costs')
  const before = { id, key: { ...admin } }
  await createCostClient(() => server.url, before).ingest('adyen', 'Shop', adyenReport({ ...SHAPE, date: DAYS[0] }))
  await call(server.url, `DELETE /merchant-account/${id}`, { headers: admin })
  merchant = await createMerchant(server.url, id)
  client = createCostClient(() => server.url, merchant)
  await client.ingest('adyen', 'Shop', adyenReport(...DAYS.map((date) => ({ ...SHAPE, date }))))
  const again = await client.ingest('adyen', 'Shop', adyenReport({ ...SHAPE, count: 40, date: DAYS[1] }))
  await client.ingest('adyen', 'Shop', adyenReport({ ...SHAPE, count: 60, date: DAYS[2] }), '&covers=parts_of_days')
  await client.ingest('adyen', 'Shop', 'no,report\n')
  await client.ingest('adyen', 'Shop', adyenReport({ ...SHAPE, count: 30, date: DAYS[0] }))
  await client.remove(`cost-ingestions/${again.id}`)
}, 60_000)

afterAll(async () => {
  await server.stop()
  await folder.remove()
})

describe('the topic costs could not be folded by what consumers are told; by it', () => {
  test('what became of each report is what the list tells', async () => {
    const { json } = await client.get('cost-ingestions')
    const told = json.map(({ id, status }: { id: string; status: string }) => [id, status])
    const { reports } = await folded()
    const newestFirst = [...reports].toReversed().filter(([, report]) => !isOver(report))
    expect(newestFirst.map(([id, { status }]) => [id, status])).toEqual(told)
    expect(told).toHaveLength(4)
  })

  test('days are those that the fit tells: the latest accepted counts, and a deleted one gives its days back', async () => {
    const all = await folded()
    const days = daysOf(all)
    const { settledDays = [] } = all.fits.get('Shop') ?? {}
    expect(settledDays.map(({ epochDay }) => new Date(epochDay * MS_PER_DAY).toISOString().slice(0, 10))).toEqual(DAYS)
    for (const { epochDay, gross } of settledDays) expect(days.get(epochDay)).toBeCloseTo(gross, 6)
    expect(settledDays.map(({ paymentCount }) => paymentCount)).toEqual([30, 250, 310])
  })

  test('clusters are those of the last fit', async () => {
    const [cluster, ...others] = (await client.get('cost-clusters')).json
    const { clusters = [] } = (await folded()).fits.get('Shop') ?? {}
    expect([clusters.length, others.length]).toEqual([1, 0])
    expect(clusters[0]).toMatchObject({
      paymentCount: cluster.n,
      gross: cluster.gross_sum,
      fee: { pctBps: cluster.model_pct_bps, fixed: cluster.model_fixed },
      verdict: cluster.verdict,
    })
  })
})
