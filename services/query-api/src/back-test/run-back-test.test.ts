import { expect, test } from '@jest/globals'
import { createEventCodec, type PaymentsEvent, publishedSchemaIds } from '@switchyard/events'
import { createMemoryLog } from '@switchyard/log-memory'
import { createCatalogue, createRuleEvaluator } from '@switchyard/routing'
import { sampleGatewayDecided, sampleOutcomeRecorded } from '@switchyard/testing'
import { type BackTestProgress, runBackTest } from './run-back-test.ts'

const HOUR_MS = 3_600_000
const START_MS = 1_000 * HOUR_MS
const codec = createEventCodec(publishedSchemaIds(), { strict: true })
const { knobs } = sampleGatewayDecided().data
const merchantId = 'm_1'

/** A decision and its outcome: `a` approves, `b`, which explores, never does. */
const payment = (paymentId: string, at: number, gateway: 'a' | 'b', scores: readonly number[]): readonly PaymentsEvent[] => [
  sampleGatewayDecided({
    merchantId,
    paymentId,
    requestId: `d_${paymentId}`,
    at,
    candidates: ['a', 'b'],
    scores: [...scores],
    approach: gateway === 'b' ? 'SR_V3_HEDGING' : 'SR_SELECTION_V3_ROUTING',
    explored: gateway === 'b',
    gateway,
    knobs: { ...knobs, bucketSize: 20, hedgingPercent: 10 },
  }),
  sampleOutcomeRecorded({
    merchantId,
    paymentId,
    requestId: `o_${paymentId}`,
    gateway,
    at: at + 1,
    status: gateway === 'a' ? 'CHARGED' : 'FAILURE',
  }),
]

/** Hours ago `b` was found to decline everything; within the last hour it is tried by chance alone. */
const events = [
  ...Array.from({ length: 40 }, (_, index) =>
    payment(`old_${index}`, START_MS - 5 * HOUR_MS + index, 'b', [1, 1 - Math.min(20, index) / 20]),
  ),
  ...Array.from({ length: 300 }, (_, index) => payment(`new_${index}`, START_MS + index, index % 10 === 9 ? 'b' : 'a', [1, 0])),
].flat()

test('windows know what happened hours before the first payment that is weighed: settings that are in force move nothing', async () => {
  const log = createMemoryLog({ partitionCount: 1 })
  await log.append(
    'payments',
    events.map((event, index) => ({
      key: merchantId,
      value: codec.encode(event),
      headers: { id: `e_${index}`, type: `switchyard.payments.${event.type}` },
    })),
  )
  const told: BackTestProgress[] = []
  const order = {
    merchantId,
    changes: { bucketSize: 20 },
    startMs: START_MS,
    endMs: START_MS + HOUR_MS,
    decisionCountMax: 1_000,
    historySince: 0,
  }
  const dependencies = { log, schemaIds: publishedSchemaIds(), evaluator: createRuleEvaluator(createCatalogue([])) }
  await runBackTest(order, dependencies, { signal: new AbortController().signal, tell: (progress) => told.push(progress) })
  expect(told.at(-1)?.result).toMatchObject({ paymentCount: 300, recorded: 0.9, movedShare: 0, gain: { value: 0 }, unanswerable: null })
})
