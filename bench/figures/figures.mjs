// A day of random events, projected while it is written and once more at speed; its figures, and the same figures counted from the raw topic.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAnalyticsQueries } from '@switchyard/analytics'
import { configProjections, costProjections, domainCollections, domainSlices, paymentProjections } from '@switchyard/composition'
import { createEventCodec, EVENT_CATALOGUE, publishedSchemaIds } from '@switchyard/events'
import { createEmbeddedLog } from '@switchyard/log-embedded'
import { createProjectorService } from '@switchyard/projector'
import { createPaymentFold } from '@switchyard/routing'
import { createEmbeddedStore } from '@switchyard/store-embedded'
import { sampleGatewayDecided, sampleOutcomeRecorded } from '@switchyard/testing'
import { drawsOf } from '../../demo/random.mjs'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const START_MS = 1_800_000_000_000 - (1_800_000_000_000 % DAY_MS)
const merchantId = 'm_figures'
const BATCH = 500
const GATEWAYS = ['adyen', 'checkout', 'stripe']
const APPROACHES = ['SR_SELECTION_V3_ROUTING', 'SR_V3_HEDGING', 'PRIORITY_LOGIC']
const STATUSES = ['CHARGED', 'FAILURE', 'AUTHORIZED', 'PENDING_VBV']
const ERRORS = ['GATEWAY_NOT_FOUND', 'DEBIT_ROUTING_NOT_ENABLED']

const codec = createEventCodec(publishedSchemaIds(), { strict: true })
const pick = (draw, values) => values[Math.floor(draw() * values.length)]

/** One random event; outcomes are of earlier payments. */
const randomEvent = (draw, index, at) => {
  const ids = { merchantId, paymentId: `pay_${index}`, requestId: `r_${index}`, at }
  const kind = draw()
  if (kind < 0.5 || index === 0) {
    const gateway = pick(draw, GATEWAYS)
    const currency = pick(draw, ['EUR', 'USD'])
    const paymentMethod = pick(draw, ['CREDIT', 'DEBIT'])
    const chosen = { gateway, approach: pick(draw, APPROACHES), currency, paymentMethod }
    return sampleGatewayDecided({ ...ids, ...chosen, candidates: GATEWAYS, scores: [0.9, 0.8, 0.7], gatewayBeforeEvaluation: gateway })
  }
  if (kind < 0.95) {
    const paymentId = `pay_${Math.floor(draw() * index)}`
    return sampleOutcomeRecorded({ ...ids, paymentId, gateway: pick(draw, GATEWAYS), status: pick(draw, STATUSES) })
  }
  const refusal = { rankingAlgorithm: 'SR_BASED_ROUTING', stage: 'request_failed', errorCode: pick(draw, ERRORS), errorMessage: 'refused' }
  return { type: 'DecisionRefused', data: { ...ids, ...refusal, approach: null } }
}

const recordOf = (event, index) => ({
  key: merchantId,
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

const count = (map, key) => map.set(key, (map.get(key) ?? 0) + 1)

/** The figures as anybody would count them. */
const counted = async (log) => {
  const figures = { decisions: 0, refused: 0, outcomes: 0 }
  const [approaches, hours, shares, errors] = [new Map(), new Map(), new Map(), new Map()]
  for await (const records of log.read('payments', new Map())) {
    for (const { value } of records) {
      const { type, data } = codec.decode(value)
      if (type === 'OutcomeRecorded') figures.outcomes += 1
      if (type === 'DecisionRefused') {
        figures.refused += 1
        count(errors, data.errorCode)
      }
      if (type !== 'GatewayDecided') continue
      const hour = Math.floor(data.at / HOUR_MS) * HOUR_MS
      figures.decisions += 1
      count(approaches, data.approach)
      count(hours, `${hour} ${data.approach}`)
      count(shares, `${hour} ${data.gateway}`)
    }
  }
  return { ...figures, approaches, hours, shares, errors }
}

const NO_DIMENSIONS = {
  paymentMethodType: undefined,
  paymentMethod: undefined,
  cardNetwork: undefined,
  cardIsIn: undefined,
  currency: undefined,
  country: undefined,
  authType: undefined,
}

/** The same figures as the reads tell them. */
const read = async (store) => {
  const queries = createAnalyticsQueries({ store, now: () => START_MS + 2 * DAY_MS })
  const window = { range: '1d', startMs: START_MS, endMs: START_MS + DAY_MS, bucket: '1h', historySince: 0 }
  const query = { window, dimensions: NO_DIMENSIONS, gateways: [], routingApproach: undefined, excludeRoutingApproach: undefined }
  const overview = await queries.overview(merchantId, query)
  const decisions = await queries.decisions(merchantId, query)
  const stats = await queries.routingStats(merchantId, query)
  const failures = await queries.logSummaries(merchantId, { ...query, route: undefined, errorCode: undefined, page: 1, pageSize: 10 })
  return {
    decisions: overview.counts.decisionCount,
    refused: overview.counts.decisionErrorCount,
    outcomes: overview.counts.outcomeCount,
    approaches: new Map(decisions.approaches.map((one) => [one.approach, one.count])),
    hours: new Map(decisions.series.map((one) => [`${one.bucketMs} ${one.approach}`, one.count])),
    shares: new Map(stats.shares.map((one) => [`${one.bucketMs} ${one.gateway}`, one.count])),
    errors: new Map(failures.errors.map((one) => [one.errorCode, one.count])),
  }
}

const sorted = (figures) =>
  JSON.stringify(
    Object.entries(figures).map(([name, value]) => [name, value instanceof Map ? [...value].sort(([a], [b]) => (a < b ? -1 : 1)) : value]),
  )

const documentsOf = async function* (store, collection) {
  for (let offset = 0; ; offset += BATCH) {
    const page = await store.range({ collection, prefix: [], order: 'ascending', offset, limit: BATCH })
    yield* page
    if (page.length < BATCH) return
  }
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

/** Writes a day of so many random events while it is projected, stopping the projector a few times; then replays it. */
export const compareFigures = async ({ seed, eventCount }) => {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-figures-'))
  const log = createEmbeddedLog({ folder: join(folder, 'log'), role: 'owner' })
  const [liveStore, replayStore] = [openStore(join(folder, 'live')), openStore(join(folder, 'replayed'))]
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
    const [expected, told] = [sorted(await counted(log)), sorted(await read(live.readModels('payments')))]
    const differences = await differing(live.readModels('payments'), replayed.readModels('payments'))
    await live.stop()
    await replayed.stop()
    return { isCountedAlike: expected === told, expected, told, differences, replayMs }
  } finally {
    await Promise.all([liveStore.close(), replayStore.close()])
    await log.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
