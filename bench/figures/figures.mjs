// A day of random events, projected while it is written and once more at speed; its figures, and the same figures counted from the raw topic.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAnalyticsQueries } from '@switchyard/analytics'
import { configProjections, costProjections, domainCollections, domainSlices, paymentProjections } from '@switchyard/composition'
import { createEventCodec, EVENT_CATALOGUE, publishedSchemaIds } from '@switchyard/events'
import { createEmbeddedLog } from '@switchyard/log-embedded'
import { createProjectorService } from '@switchyard/projector'
import { createReadSavings } from '@switchyard/query-api'
import { createPaymentFold } from '@switchyard/routing'
import { documentPages } from '@switchyard/runtime'
import { createEmbeddedStore } from '@switchyard/store-embedded'
import { drawsOf } from '../../demo/random.mjs'
import { countedFigures, rounded } from './counted.mjs'
import { CURRENCIES, EXPERIMENTS, MERCHANT, randomEvent } from './random-events.mjs'

const DAY_MS = 86_400_000
const START_MS = 1_800_000_000_000 - (1_800_000_000_000 % DAY_MS)
const BATCH = 500

const codec = createEventCodec(publishedSchemaIds(), { strict: true })

const recordOf = (event, index) => ({
  key: MERCHANT,
  value: codec.encode(event),
  headers: { id: `e_${index}`, type: EVENT_CATALOGUE[event.type].subject },
})

const openStore = (folder) => createEmbeddedStore({ folder, collections: domainCollections, role: 'writer' })

const projectorOf = (log, store) =>
  createProjectorService({
    log,
    store,
    codec,
    now: () => START_MS + DAY_MS,
    configSlices: domainSlices,
    configProjections,
    costProjections,
    createPaymentFold,
    paymentProjections,
    onFailure: (error) => {
      throw error
    },
  })

const NO_DIMENSIONS = {
  paymentMethodType: undefined,
  paymentMethod: undefined,
  cardNetwork: undefined,
  cardIsIn: undefined,
  currency: undefined,
  country: undefined,
  authType: undefined,
}

const windowOf = (bucket) => ({ range: '1d', startMs: START_MS, endMs: START_MS + DAY_MS, bucket, historySince: 0 })

const seriesOf = (points, nameOf) => new Map(points.map((one) => [`${one.bucketMs} ${nameOf(one)}`, one.count]))

/** Sums of an arm as they were counted: money rounded, because sums of many depend on their order in the last digits. */
const armOf = (arm, { assigned, resolved, successes, firstSuccesses, costs }) => [
  [`${arm} assigned`, assigned],
  [`${arm} resolved`, resolved],
  [`${arm} approved`, successes],
  [`${arm} approved at first`, firstSuccesses],
  [`${arm} priced`, costs?.pricedCount ?? 0],
  [`${arm} weighed`, costs?.weighedCount ?? 0],
]
const moneyOf = (arm, currency, { amount, costs }) => [
  [`${arm} ${currency} amount`, rounded(amount)],
  [`${arm} ${currency} cost`, rounded(costs?.cost ?? 0)],
  [`${arm} ${currency} saving`, rounded(costs?.saving ?? 0)],
]

const ARMS = ['control', 'variant']

const experimentRead = async (queries, experimentId) => {
  const { tally } = await queries.experimentFigures(MERCHANT, { experimentId, startMs: undefined, endMs: undefined, historySince: 0 })
  return ARMS.flatMap((arm) => [
    ...armOf(`${experimentId} ${arm}`, tally[arm]),
    ...tally.currencies.flatMap((one) => moneyOf(`${experimentId} ${arm}`, one.currency, one[arm])),
  ]).filter(([, value]) => value !== 0)
}

const experimentsRead = async (queries) =>
  new Map((await Promise.all(EXPERIMENTS.map((experimentId) => experimentRead(queries, experimentId)))).flat())

const savingsRead = async (store, query) => {
  const readSavings = createReadSavings({ store, now: () => START_MS + 2 * DAY_MS })
  const figures = new Map()
  for (const currency of CURRENCIES) {
    const { savings } = await readSavings(MERCHANT, { ...query, dimensions: { ...NO_DIMENSIONS, currency } })
    figures.set(currency, [savings.totalDecisions, savings.costWonCount, rounded(savings.savedValue)])
  }
  return figures
}

/** The same figures as the reads tell them. */
const read = async (store) => {
  const queries = createAnalyticsQueries({ store, now: () => START_MS + 2 * DAY_MS })
  const query = {
    window: windowOf('1h'),
    dimensions: NO_DIMENSIONS,
    gateways: [],
    routingApproach: undefined,
    excludeRoutingApproach: undefined,
  }
  const euros = { ...query, dimensions: { ...NO_DIMENSIONS, currency: 'EUR' } }
  const errors = { route: undefined, errorCode: undefined, page: 1, pageSize: 10 }
  const overview = await queries.overview(MERCHANT, query)
  const decisions = await queries.decisions(MERCHANT, query)
  const decidedEuros = await queries.decisions(MERCHANT, euros)
  const stats = await queries.routingStats(MERCHANT, query)
  const failures = await queries.logSummaries(MERCHANT, { ...query, ...errors })
  const failedEuros = await queries.logSummaries(MERCHANT, { ...euros, ...errors })
  return {
    decisions: overview.counts.decisionCount,
    refused: overview.counts.decisionErrorCount,
    outcomes: overview.counts.outcomeCount,
    outcomesRefused: overview.counts.outcomeErrorCount,
    evaluations: overview.counts.evaluationCount,
    evaluationsRefused: overview.counts.evaluationErrorCount,
    rules: new Map(overview.topRules.map((one) => [one.ruleName, one.count])),
    approaches: new Map(decisions.approaches.map((one) => [one.approach, one.count])),
    hours: seriesOf(decisions.series, (one) => one.approach),
    shares: seriesOf(stats.shares, (one) => one.gateway),
    errors: new Map(failures.errors.map((one) => [`${one.route} ${one.errorCode}`, one.count])),
    euros: [decidedEuros.decisionCount, decidedEuros.errorCount],
    eurosByHour: seriesOf(decidedEuros.series, (one) => one.approach),
    errorsOfEuros: new Map(failedEuros.errors.map((one) => [`${one.route} ${one.errorCode}`, one.count])),
    experiments: await experimentsRead(queries),
    savings: await savingsRead(store, query),
  }
}

const sorted = (figures) =>
  JSON.stringify(
    Object.entries(figures).map(([name, value]) => [name, value instanceof Map ? [...value].sort(([a], [b]) => (a < b ? -1 : 1)) : value]),
  )

const documentsOf = async function* (store, collection) {
  for await (const page of documentPages(store, collection)) yield* page
}

/** Names of the read models that are not the same in both stores. */
const differing = async (one, other) => {
  const names = []
  for (const { name } of paymentProjections) {
    const others = documentsOf(other, name)
    let isSame = true
    for await (const document of documentsOf(one, name)) {
      const { value } = await others.next()
      if (JSON.stringify(document) !== JSON.stringify(value)) isSame = false
      if (!isSame) break
    }
    if (isSame && (await others.next()).done !== true) isSame = false
    if (!isSame) names.push(name)
  }
  return names
}

/**
 * Writes a day of so many random events while it is projected, stopping the projector a few times; then replays it. What is projected
 * lies in `folder` as a service keeps it.
 */
export const compareFigures = async ({ seed, eventCount, folder }) => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'switchyard.json'), '{"product":"switchyard","layout":1}\n')
  const log = createEmbeddedLog({ folder: join(folder, 'log'), role: 'owner' })
  const [liveStore, replayStore] = [openStore(join(folder, 'store')), openStore(join(folder, 'replayed'))]
  try {
    const draw = drawsOf(seed, 0)
    let live = projectorOf(log, liveStore)
    await live.start()
    for (let index = 0; index < eventCount; index += BATCH) {
      const size = Math.min(BATCH, eventCount - index)
      const records = Array.from({ length: size }, (_, offset) => {
        const number = index + offset
        return recordOf(randomEvent(draw, number, START_MS + Math.floor((number * DAY_MS) / eventCount)), number)
      })
      await log.append('payments', records)
      if (draw() > 0.05) continue
      await live.stop()
      live = projectorOf(log, liveStore)
      await live.start()
    }
    await live.caughtUp()
    const startMs = performance.now()
    const replayed = projectorOf(log, replayStore)
    await replayed.start()
    await replayed.caughtUp()
    const replayMs = performance.now() - startMs
    const [expected, told] = [sorted(await countedFigures(log, codec)), sorted(await read(live.readModels('payments')))]
    const differences = await differing(live.readModels('payments'), replayed.readModels('payments'))
    await live.stop()
    await replayed.stop()
    return { isCountedAlike: expected === told, expected, told, differences, replayMs }
  } finally {
    await Promise.all([liveStore.close(), replayStore.close()])
    await log.close()
  }
}
