import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { merchants } from '@switchyard/access'
import type { TrafficQuery } from '@switchyard/analytics'
import { domainCollections } from '@switchyard/composition'
import { createEventCodec, publishedSchemaIds } from '@switchyard/events'
import { type EventLog, OperatingError } from '@switchyard/kernel'
import { createMemoryLog } from '@switchyard/log-memory'
import { featureFlags, SHIPPED_TUNING_RULES, scoringDimensions, successRateScoring } from '@switchyard/routing'
import { createCommandHandler, createNewId, createStreamStates } from '@switchyard/runtime'
import { createMemoryStore } from '@switchyard/store-memory'
import { createTuner } from './tuner.ts'

const INTERVAL_MS = 900_000
const merchantId = 'm_1'
const codec = createEventCodec(publishedSchemaIds(), { strict: true })
const origin = { actor: 'admin', requestId: 'r_1' }

const traffic = {
  paymentMethodType: 'CARD',
  paymentMethod: 'CREDIT',
  cardNetwork: null,
  currency: null,
  country: null,
  authType: null,
  paymentCount: 10_000,
  gatewayCount: 2,
  gateways: [],
}

let log: EventLog
let now = 10 * INTERVAL_MS
const running: { readonly stop: () => Promise<void> }[] = []

/** A process of its own over the same log. */
const replica = async (change: { readonly caughtUp?: () => Promise<void> } = {}) => {
  const slices = [merchants, featureFlags, successRateScoring, scoringDimensions]
  const store = createMemoryStore({ collections: domainCollections })
  const states = createStreamStates({ log, store, codec, slices, onFailure: () => {} })
  const newId = createNewId(() => now, randomBytes)
  const handle = createCommandHandler({ log, codec, states, newId })
  const asked: TrafficQuery[] = []
  const failures: unknown[] = []
  await states.start()
  running.push(states)
  const tuner = createTuner({
    states,
    handle,
    queries: {
      clusterTraffic: async (_, query) => {
        asked.push(query)
        return [traffic]
      },
    },
    caughtUp: async () => {},
    historySinceOf: () => 0,
    settings: { intervalMs: INTERVAL_MS, rules: SHIPPED_TUNING_RULES },
    now: () => now,
    newId,
    report: { info: () => {}, failed: (_, error) => failures.push(error) },
    ...change,
  })
  return { tuner, states, handle, asked, failures }
}

const runsInLog = async (): Promise<number> => {
  let count = 0
  for await (const records of log.read('config', new Map())) {
    count += records.filter(({ headers }) => headers.type === 'switchyard.config.ScoringCalibrated').length
  }
  return count
}

beforeEach(async () => {
  log = createMemoryLog({ partitionCount: 1 })
  now = 10 * INTERVAL_MS
  const { handle } = await replica()
  await handle(merchants, {
    key: merchantId,
    command: { type: 'RegisterMerchant', merchantId, name: null, deciderInput: null, at: 1 },
    origin,
  })
  for (const feature of ['auto-calibration', 'autopilot']) {
    await handle(featureFlags, { key: merchantId, command: { type: 'EnableFeature', merchantId, feature, at: 2 }, origin })
  }
})
afterEach(async () => {
  for (const one of running.splice(0)) await one.stop()
})

const rowsOf = ({ states }: Awaited<ReturnType<typeof replica>>) =>
  states.stateOf(successRateScoring, merchantId).settings?.subLevelInputConfig ?? []

describe('the tuner', () => {
  test('two of them at the same time make one run that counts', async () => {
    const [one, other] = [await replica(), await replica()]
    await Promise.all([one.tuner.tune(), other.tuner.tune()])
    await one.states.readIndex(merchantId)
    await other.states.readIndex(merchantId)
    expect(rowsOf(one)).toMatchObject([{ bucketSize: 500, hedgingPercent: 5, source: 'autopilot' }])
    expect(rowsOf(other)).toEqual(rowsOf(one))
    expect([...one.failures, ...other.failures]).toEqual([])
    const before = await runsInLog()
    await Promise.all([one.tuner.tune(), other.tuner.tune()])
    expect(await runsInLog()).toBe(before)
  })

  test('looks back from now, by the dimensions of the windows; the next interval has its own run', async () => {
    const { tuner, handle, asked } = await replica()
    const command = { type: 'ChooseScoringDimensions', merchantId, udfs: [], fields: ['currency', 'card_is_in'], at: 3 } as const
    await handle(scoringDimensions, { key: merchantId, command, origin })
    await tuner.tune()
    now += INTERVAL_MS
    await tuner.tune()
    expect(asked).toEqual([
      { startMs: 6 * INTERVAL_MS, endMs: 10 * INTERVAL_MS, dimensions: ['currency'] },
      { startMs: 7 * INTERVAL_MS, endMs: 11 * INTERVAL_MS, dimensions: ['currency'] },
    ])
    expect(await runsInLog()).toBe(2)
  })

  test('a run of a clock that was far ahead does not keep later ones away', async () => {
    const { tuner } = await replica()
    const right = now
    now += 365 * 24 * 3_600_000
    await tuner.tune()
    now = right
    await tuner.tune()
    await tuner.tune()
    expect(await runsInLog()).toBe(2)
    now += INTERVAL_MS
    await tuner.tune()
    expect(await runsInLog()).toBe(3)
  })

  test('a run of a clock that is a little ahead is the only one of its interval', async () => {
    const { tuner } = await replica()
    now += INTERVAL_MS
    await tuner.tune()
    now -= 1
    await tuner.tune()
    expect(await runsInLog()).toBe(1)
  })

  test('figures that lag behind the log are not decided on; it is tried again', async () => {
    let isBehind = true
    const late = new OperatingError('POSITION_NOT_REACHED', 'behind', { retryable: true })
    const { tuner, failures } = await replica({ caughtUp: () => (isBehind ? Promise.reject(late) : Promise.resolve()) })
    await tuner.tune()
    expect(failures).toEqual([late])
    expect(await runsInLog()).toBe(0)
    isBehind = false
    await tuner.tune()
    expect(await runsInLog()).toBe(1)
  })

  test('a merchant without the flag is left alone', async () => {
    const { tuner, handle, asked } = await replica()
    await handle(featureFlags, {
      key: merchantId,
      command: { type: 'DisableFeature', merchantId, feature: 'auto-calibration', at: 4 },
      origin,
    })
    await tuner.tune()
    expect(asked).toEqual([])
  })
})
