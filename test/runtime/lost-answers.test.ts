import { describe, expect, test } from '@jest/globals'
import { configProjections, domainCollections, domainSlices, paymentProjections } from '@switchyard/composition'
import type { PaymentsEvent } from '@switchyard/events'
import { createMemoryLog, type MemoryLog } from '@switchyard/log-memory'
import { createProjectorService } from '@switchyard/projector'
import { createPaymentFold } from '@switchyard/routing'
import { createPaymentAppender, createPaymentFollower } from '@switchyard/runtime'
import { createMemoryStore } from '@switchyard/store-memory'
import { sampleGatewayDecided, sampleOutcomeRecorded } from '@switchyard/testing'
import { createManualTimers, turn } from './support/manual-timers.ts'
import { throwing } from './support/projectors.ts'
import { codec, idsOf } from './support/sample.ts'
import { documentsOf } from './support/world.ts'

const MERCHANTS = ['m_0', 'm_1']

/** Batches of decisions and reports: payments that are decided and reported again, and calls that fail. */
const batches: readonly (readonly PaymentsEvent[])[] = Array.from({ length: 4 }, (_, batch) =>
  MERCHANTS.flatMap((merchantId, index): readonly PaymentsEvent[] => {
    const at = 1_700_000_000_000 + batch * 40_000 + index
    const named = (name: string) => ({ merchantId, requestId: `${name}_${batch}` })
    const paymentId = `p_${batch >> 1}`
    const refusal = { paymentId: null, stage: 'decide', errorCode: 'INVALID_INPUT', errorMessage: 'no gateway' }
    return [
      sampleGatewayDecided({ ...named('decide'), paymentId, at, priorityLogicTag: 'cards' }),
      sampleOutcomeRecorded({ ...named('failed'), paymentId, at: at + 1_000, status: 'FAILURE', smartRetry: true }),
      sampleGatewayDecided({ ...named('again'), paymentId, at: at + 2_000 }),
      sampleOutcomeRecorded({ ...named('charged'), paymentId, at: at + 3_000, status: 'CHARGED' }),
      sampleOutcomeRecorded({ ...named('foreign'), paymentId, at: at + 4_000, gateway: 'elsewhere', status: 'FAILURE' }),
      sampleOutcomeRecorded({ ...named('early'), paymentId: `q_${batch}`, at: at + 5_000, status: 'FAILURE' }),
      sampleGatewayDecided({ ...named('late'), paymentId: `q_${batch}`, at: at + 6_000 }),
      {
        type: 'DecisionRefused',
        data: { ...named('refused'), ...refusal, at: at + 7_000, rankingAlgorithm: null, approach: null, payment: null },
      },
      { type: 'OutcomeRefused', data: { ...named('unread'), ...refusal, at: at + 8_000, gateway: null } },
    ]
  }),
)

/** Sends the batches; `beforeEach` may spoil the log. */
const logOf = async (beforeEach: (log: MemoryLog) => void): Promise<MemoryLog> => {
  const log = createMemoryLog()
  const timers = createManualTimers()
  const appender = createPaymentAppender({
    log,
    codec,
    newId: idsOf('e'),
    timers,
    onDropped: (count) => throwing(new Error(`${count} dropped`)),
  })
  for (const batch of batches) {
    beforeEach(log)
    const answers = Promise.all(batch.map((event) => appender.append(event)))
    let isAnswered = false
    void answers.then(() => {
      isAnswered = true
    })
    while (!isAnswered) {
      timers.advance(50)
      await turn()
    }
  }
  await appender.close()
  return log
}

const countOf = async (log: MemoryLog): Promise<number> => {
  let count = 0
  for await (const records of log.read('payments', new Map())) count += records.length
  return count
}

/** Without the places in the log at which it came to say so, which stand beside last scores. */
const withoutPlaces = (body: unknown): unknown => JSON.parse(JSON.stringify(body), (name, value) => (name === 'lastOffset' ? null : value))

/** Windows and read models, without the positions. A projector is restarted in the middle, a follower starts from its snapshot. */
const figuresOf = async (log: MemoryLog): Promise<unknown> => {
  const store = createMemoryStore({ collections: domainCollections })
  const projector = createProjectorService({
    log,
    store,
    codec,
    now: () => 1_000,
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
  const fold = createPaymentFold()
  const follower = createPaymentFollower({ log, store, codec, fold, onFailure: throwing })
  await follower.start()
  await follower.stop()
  const documents: (readonly [string, unknown])[] = []
  for (const { name } of paymentProjections) {
    const stored = await documentsOf(store, name)
    documents.push([name, stored.map(({ key, body }) => ({ key, body: withoutPlaces(body) }))])
  }
  return { documents, windows: MERCHANTS.map((merchantId) => [...fold.exportMerchant(merchantId)]) }
}

describe('a log that appends a batch and then rejects', () => {
  test('gives the same windows and the same figures as one that answers', async () => {
    const whole = await logOf(() => {})
    const spoilt = await logOf((log) => log.faults.loseNextAnswers(2))
    const eventCount = batches.flat().length
    expect([await countOf(whole), await countOf(spoilt)]).toEqual([eventCount, eventCount * 3])
    expect(await figuresOf(spoilt)).toEqual(await figuresOf(whole))
  })
})
