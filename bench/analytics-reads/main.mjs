// How long reads of a busy merchant take: `npm run bench:analytics-reads`. Thirty days of ten million payments, as read models: an hour
// of random payments is projected, and its documents are written for every hour. Payments by themselves: a hundred thousand timelines.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAnalyticsQueries, paymentTimelines } from '@switchyard/analytics'
import { domainCollections, paymentProjections } from '@switchyard/composition'
import { createPaymentFold } from '@switchyard/routing'
import { createEmbeddedStore } from '@switchyard/store-embedded'
import { sampleGatewayDecided, sampleOutcomeRecorded } from '@switchyard/testing'
import { drawsOf } from '../../demo/random.mjs'

const HOUR_MS = 3_600_000
const START_MS = 1_800_000_000_000 - (1_800_000_000_000 % (24 * HOUR_MS))
const DAYS = Number(process.env['BENCH_DAYS'] ?? 30)
const PAYMENTS_PER_MINUTE = 231
const TIMELINES = 100_000
const READS = Number(process.env['BENCH_READS'] ?? 40)
const merchantId = 'm_reads'
const GATEWAYS = ['adyen', 'checkout', 'stripe']
/** Figures of a period, by their collection; what is read of long windows is wider. */
const WIDTHS = { minute: 60_000, hour: HOUR_MS, day: 24 * HOUR_MS }
const PERIODS = new Map([
  ...['minute-rollups-v1', 'score-rollups-v1', 'decision-rollups-v1'].map((name) => [name, WIDTHS.minute]),
  ...['hour-rollups-v1', 'score-hours-v1', 'decision-hours-v1'].map((name) => [name, WIDTHS.hour]),
  ...['day-rollups-v1', 'score-days-v1', 'decision-days-v1'].map((name) => [name, WIDTHS.day]),
])
const BATCH = 1_000
/** Windows begin and end in the middle of a day and of an hour: the dearest ones. */
const INTO_THE_DAY_MS = 13 * HOUR_MS + 37 * 60_000
const NOW = START_MS + DAYS * 24 * HOUR_MS
const END = NOW - INTO_THE_DAY_MS

const pick = (draw, values) => values[Math.floor(draw() * values.length)]

/** Documents of an hour of payments that are decided and reported, as the projections make them. */
const hourOfDocuments = () => {
  const draw = drawsOf(1, 0)
  const fold = createPaymentFold()
  const projections = paymentProjections.filter(({ name }) => PERIODS.has(name) || name === paymentTimelines.name)
  const documents = new Map()
  const apply = (event, offset) => {
    const record = { event, effects: fold.apply(event) ?? [], position: { partition: 0, offset }, eventId: `e_${offset}` }
    for (const projection of projections) {
      for (const key of projection.keysOf(record)) {
        const name = JSON.stringify([projection.name, key])
        const view = projection.project(documents.get(name)?.view ?? projection.initialView(key), record, key)
        documents.set(name, { collection: projection.name, key, view })
      }
    }
  }
  for (let index = 0; index < 60 * PAYMENTS_PER_MINUTE; index++) {
    const at = START_MS + Math.floor((index * HOUR_MS) / (60 * PAYMENTS_PER_MINUTE))
    const ids = { merchantId, paymentId: `pay_${index}`, at }
    const gateway = pick(draw, GATEWAYS)
    const traits = {
      gateway,
      currency: pick(draw, ['EUR', 'USD']),
      paymentMethod: pick(draw, ['CREDIT', 'DEBIT']),
      country: null,
      cardIsIn: null,
    }
    apply(
      sampleGatewayDecided({
        ...ids,
        ...traits,
        requestId: `d_${index}`,
        candidates: GATEWAYS,
        cardNetwork: pick(draw, ['VISA', 'MASTERCARD']),
      }),
      2 * index,
    )
    const status = draw() < 0.85 ? 'CHARGED' : 'FAILURE'
    apply(sampleOutcomeRecorded({ ...ids, gateway, status, requestId: `o_${index}` }), 2 * index + 1)
  }
  return [...documents.values()]
}

const shifted = ({ collection, key, view }, shiftMs) => ({
  collection,
  key: [key[0], key[1] + shiftMs],
  position: { partition: 0, offset: 1 },
  body: { ...view, minuteMs: view.minuteMs + shiftMs },
})

const write = async (store, writes) => {
  for (let index = 0; index < writes.length; index += BATCH) await store.write(writes.slice(index, index + BATCH))
}

const fill = async (store) => {
  const hour = hourOfDocuments()
  const periods = hour.filter(({ collection }) => PERIODS.has(collection))
  for (let shift = 0; shift < DAYS * 24; shift++) {
    // A day has one document; its figures are those of an hour, in as many groups.
    const due = periods.filter(({ collection }) => PERIODS.get(collection) !== WIDTHS.day || shift % 24 === 0)
    await write(
      store,
      due.map((document) => shifted(document, shift * HOUR_MS)),
    )
  }
  const timelines = hour.filter(({ collection }) => collection === paymentTimelines.name)
  const copies = Array.from({ length: TIMELINES }, (_, index) => {
    const { collection, key, view } = timelines[index % timelines.length]
    return { collection, key: [key[0], key[1], `pay_${index}`], position: { partition: 0, offset: 1 }, body: view }
  })
  await write(store, copies)
}

/** 95 of 100 reads take at most so long, milliseconds: by the clock, and of the processor (which other work on the machine does not lengthen). */
const p95 = async (read) => {
  const times = []
  const loads = []
  for (let index = 0; index < READS; index++) {
    const [startMs, before] = [performance.now(), process.cpuUsage()]
    await read(index)
    const { user, system } = process.cpuUsage(before)
    times.push(performance.now() - startMs)
    loads.push((user + system) / 1_000)
  }
  const at = (values) => values.sort((a, b) => a - b)[Math.ceil(0.95 * values.length) - 1].toFixed(1)
  return `${at(times)} (${at(loads)})`
}

const dimensions = Object.fromEntries(
  ['paymentMethodType', 'paymentMethod', 'cardNetwork', 'cardIsIn', 'currency', 'country', 'authType'].map((name) => [name, undefined]),
)

const folder = mkdtempSync(join(tmpdir(), 'switchyard-reads-'))
const store = createEmbeddedStore({ folder, collections: domainCollections, role: 'writer' })
try {
  await fill(store)
  const queries = createAnalyticsQueries({ store, now: () => NOW })
  const queryOf = (days) => ({
    window: { range: '1w', startMs: END - days * 24 * HOUR_MS, endMs: END, bucket: undefined, historySince: 0 },
    dimensions,
    gateways: [],
    routingApproach: undefined,
    excludeRoutingApproach: undefined,
  })
  const audit = { summaryKind: 'live', page: 1, pageSize: 12 }
  const onePayment = (index) =>
    queries.paymentAudit(merchantId, {
      ...audit,
      window: queryOf(1).window,
      exactId: `pay_${(index * 7919) % TIMELINES}`,
    })
  console.log(`p95 of ${READS} reads, milliseconds, of the processor in brackets; ${DAYS} days of ${PAYMENTS_PER_MINUTE} payments a minute`)
  for (const days of [1 / 24, 1, 7, 30].filter((one) => one <= DAYS)) {
    const query = queryOf(days)
    const span = days < 1 ? 'an hour' : `${days} days`
    const [overview, stats, series] = [
      await p95(() => queries.overview(merchantId, query)),
      await p95(() => queries.routingStats(merchantId, query)),
      await p95(() => queries.decisions(merchantId, query)),
    ]
    const { freshness } = await queries.decisions(merchantId, query)
    const cut = freshness.truncated ? ' (cut off by a limit)' : ''
    console.log(`  ${span}: overview ${overview}, stats ${stats}, decisions ${series}${cut}`)
  }
  console.log(`  one payment: ${await p95(onePayment)}`)
} finally {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
}
