import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { merchants } from '@switchyard/access'
import { configProjections, domainCollections, domainSlices, paymentProjections } from '@switchyard/composition'
import type { GatewayDecided } from '@switchyard/events'
import type { EventLog, ReadStore } from '@switchyard/kernel'
import { createEmbeddedLog } from '@switchyard/log-embedded'
import { createProjectorService } from '@switchyard/projector'
import { createPaymentFold, featureFlags } from '@switchyard/routing'
import { createCommandHandler, createNewId, createPaymentAppender, createPaymentFollower, createStreamStates } from '@switchyard/runtime'
import { createEmbeddedStore } from '@switchyard/store-embedded'
import { sampleGatewayDecided } from '@switchyard/testing'
import { codec, outcome } from './support/sample.ts'
import { documentsOf } from './support/world.ts'

const decided = (merchantId: string, paymentId: string, at: number): GatewayDecided =>
  sampleGatewayDecided({ merchantId, paymentId, requestId: `decide-${paymentId}`, at })

const throwing = (error: unknown): void => {
  throw error
}
const newId = createNewId(Date.now, randomBytes)

let folder = ''
let log: EventLog
let store: ReadStore
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'switchyard-composition-'))
  log = createEmbeddedLog({ folder: join(folder, 'log'), role: 'owner' })
  store = createEmbeddedStore({ folder: join(folder, 'store'), role: 'writer', collections: domainCollections })
})
afterEach(async () => {
  await Promise.all([log.close(), store.close()])
  await rm(folder, { recursive: true })
})

const runProjector = async (): Promise<void> => {
  const projector = createProjectorService({
    log,
    store,
    codec,
    now: Date.now,
    configSlices: domainSlices,
    configProjections,
    createPaymentFold,
    paymentProjections,
    costProjections: [],
    onFailure: throwing,
  })
  await projector.start()
  await projector.caughtUp()
  await projector.stop()
}

describe('the real domain on the embedded engines', () => {
  test('decisions and outcomes of many merchants survive restarts, and a follower agrees with a replay', async () => {
    const appender = createPaymentAppender({ log, codec, newId, onDropped: (count) => throwing(new Error(`${count} dropped`)) })
    for (let run = 0; run < 3; run++) {
      const answers = Array.from({ length: 200 }, async (_, i) => {
        const [merchantId, paymentId] = [`m_${i % 5}`, `p_${run}_${i}`]
        appender.enqueue(decided(merchantId, paymentId, 1_000 + i))
        await appender.append({
          ...outcome(merchantId, paymentId, `update-${paymentId}`),
          data: { ...outcome(merchantId, paymentId, `update-${paymentId}`).data, at: 2_000 + i },
        })
      })
      await Promise.all(answers)
      await runProjector()
    }
    await appender.close()

    const fold = createPaymentFold()
    const follower = createPaymentFollower({ log, store, codec, fold, onFailure: throwing })
    await follower.start()
    expect(await follower.isCaughtUp()).toBe(true)
    await follower.stop()
    const replayed = createPaymentFold()
    const events = []
    for await (const records of log.read('payments', new Map())) events.push(...records.map(({ value }) => codec.decode(value)))
    for (const event of events) if (event.type === 'GatewayDecided' || event.type === 'OutcomeRecorded') replayed.apply(event)
    expect(events).toHaveLength(1_200)
    expect([...fold.merchantIds()].toSorted()).toEqual(['m_0', 'm_1', 'm_2', 'm_3', 'm_4'])
    for (const merchantId of fold.merchantIds()) {
      expect(Buffer.from(fold.exportMerchant(merchantId)).equals(Buffer.from(replayed.exportMerchant(merchantId)))).toBe(true)
      expect(fold.hasDecision(merchantId, `p_2_${merchantId.slice(2)}`)).toBe(true)
    }
    expect(await documentsOf(store, 'dead-letters-v1')).toEqual([])
    for (const { name } of paymentProjections.slice(0, 1)) expect(await documentsOf(store, name)).toHaveLength(600)
  })

  test('commands, then a restart from the stored states', async () => {
    const start = async () => {
      const states = createStreamStates({ log, store, codec, slices: domainSlices, onFailure: throwing })
      await states.start()
      return { states, handle: createCommandHandler({ log, codec, states, newId }) }
    }
    const origin = { actor: 'admin', requestId: 'r' }
    const before = await start()
    const registered = await before.handle(merchants, {
      key: 'm_1',
      command: { type: 'RegisterMerchant', merchantId: 'm_1', name: null, deciderInput: null, at: 1 },
      origin,
    })
    expect(registered).toMatchObject({ accepted: true, state: { registered: true } })
    await before.handle(featureFlags, {
      key: 'm_1',
      command: { type: 'EnableFeature', merchantId: 'm_1', feature: 'elimination', at: 2 },
      origin,
    })
    await runProjector()
    await before.states.stop()
    const after = await start()
    expect(after.states.stateOf(featureFlags, 'm_1')).toEqual(before.states.stateOf(featureFlags, 'm_1'))
    expect(await after.states.isCaughtUp()).toBe(true)
    const again = await after.handle(merchants, {
      key: 'm_1',
      command: { type: 'RegisterMerchant', merchantId: 'm_1', name: null, deciderInput: null, at: 3 },
      origin,
    })
    expect(again.accepted).toBe(false)
    await after.states.stop()
  })
})
