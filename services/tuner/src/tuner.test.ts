import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { merchants } from '@switchyard/access'
import type { TrafficQuery } from '@switchyard/analytics'
import { domainCollections } from '@switchyard/composition'
import { createEventCodec, publishedSchemaIds } from '@switchyard/events'
import { type EventLog, OperatingError } from '@switchyard/kernel'
import { createMemoryLog } from '@switchyard/log-memory'
import { featureFlags, SHIPPED_TUNING_RULES, scoringDimensions, successRateScoring } from '@switchyard/routing'
import {
  createCommandHandler,
  createNewId,
  createStreamFold,
  createStreamStates,
  decodeConfigEvent,
  type HandleCommand,
} from '@switchyard/runtime'
import { createMemoryStore } from '@switchyard/store-memory'
import { createTuner, type TunerDependencies } from './tuner.ts'

const INTERVAL_MS = 900_000
const merchantId = 'm_1'
const codec = createEventCodec(publishedSchemaIds(), { strict: true })
const slices = [merchants, featureFlags, successRateScoring, scoringDimensions]
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

/** A process of its own over the same log, or over what stands before it. */
const replica = async (
  change: Partial<Pick<TunerDependencies, 'caughtUp' | 'queries'>> = {},
  append: EventLog['append'] = (topic, records) => log.append(topic, records),
) => {
  const store = createMemoryStore({ collections: domainCollections })
  const states = createStreamStates({ log, store, codec, slices, onFailure: () => {} })
  const newId = createNewId(() => now, randomBytes)
  const lifeOf = (key: string): number => states.stateOf(merchants, key).registrationCount
  const handle = createCommandHandler({ log: { ...log, append }, codec, states, newId, lifeOf })
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
    lifeOf,
    historySinceOf: () => 0,
    settings: { intervalMs: INTERVAL_MS, rules: SHIPPED_TUNING_RULES },
    now: () => now,
    newId,
    report: { info: () => {}, failed: (_, error) => failures.push(error) },
    ...change,
  })
  return { tuner, states, handle, asked, failures }
}

/** Registers the merchant, who wants the self-tuning to write. */
const enrol = async (handle: HandleCommand): Promise<void> => {
  await handle(merchants, {
    key: merchantId,
    command: { type: 'RegisterMerchant', merchantId, name: null, deciderInput: null, at: 1 },
    origin,
  })
  for (const feature of ['auto-calibration', 'autopilot']) {
    await handle(featureFlags, { key: merchantId, command: { type: 'EnableFeature', merchantId, feature, at: 2 }, origin })
  }
}

const runsInLog = async (): Promise<number> => {
  let count = 0
  for await (const records of log.read('config', new Map())) {
    count += records.filter(({ headers }) => headers.type === 'switchyard.config.ScoringCalibrated').length
  }
  return count
}

/** What became of each run that stands in the log, for whoever reads it. */
const effectsOfRuns = async (): Promise<readonly string[]> => {
  const fold = createStreamFold(slices)
  const effects: string[] = []
  for await (const records of log.read('config', new Map())) {
    for (const record of records) {
      const event = decodeConfigEvent(codec, record.value)
      const effect = fold.apply(record, event)
      if (event.type === 'ScoringCalibrated') effects.push(effect)
    }
  }
  return effects
}

beforeEach(async () => {
  log = createMemoryLog({ partitionCount: 1 })
  now = 10 * INTERVAL_MS
  await enrol((await replica()).handle)
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

  test('two of them that both recorded the run of an interval: the second one in the log has no effect, and is not made again', async () => {
    let release: () => void = () => {}
    const bothDecided = new Promise<void>((resolve) => {
      release = resolve
    })
    let decidedCount = 0
    const held: EventLog['append'] = async (topic, records) => {
      decidedCount += 1
      if (decidedCount === 2) release()
      await bothDecided
      return await log.append(topic, records)
    }
    const seeing = (paymentCount: number) => ({ queries: { clusterTraffic: async () => [{ ...traffic, paymentCount }] } })
    const [one, other] = [await replica(seeing(10_000), held), await replica(seeing(2_000), held)]
    await Promise.all([one.tuner.tune(), other.tuner.tune()])
    await Promise.all([one.tuner.tune(), other.tuner.tune()])
    expect(await runsInLog()).toBe(2)
    expect(await effectsOfRuns()).toEqual(['effective', 'ineffective'])
    await other.states.readIndex(merchantId)
    expect(rowsOf(other)).toEqual(rowsOf(one))
    expect([...one.failures, ...other.failures]).toEqual([])
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

  test('figures of a merchant that is closed meanwhile, and its id registered again, write nothing for the next one', async () => {
    const { handle } = await replica()
    let isClosed = false
    const changeHands = async (): Promise<void> => {
      if (isClosed) return
      isClosed = true
      await handle(merchants, { key: merchantId, command: { type: 'CloseMerchant', merchantId, at: 3 }, origin })
      await enrol(handle)
    }
    // Of the next one nothing was decided yet.
    const figures = [[traffic]]
    const queries = { clusterTraffic: async () => figures.shift() ?? [] }
    const { tuner, states, failures } = await replica({ caughtUp: changeHands, queries })
    await tuner.tune()
    await tuner.tune()
    expect(states.stateOf(successRateScoring, merchantId)).toMatchObject({ settings: null, tuning: { isOn: true, mayWrite: true } })
    expect(figures).toEqual([])
    expect([await runsInLog(), failures]).toEqual([1, []])
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
