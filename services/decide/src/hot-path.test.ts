import { describe, expect, test } from '@jest/globals'
import { createEventCodec, publishedSchemaIds } from '@switchyard/events'
import { createPaymentFold } from '@switchyard/routing'
import { decodePaymentsEvent } from '@switchyard/runtime'
import fc from 'fast-check'
import { createReferenceDecider } from './reference-decider.fixture.ts'
import { decisionBody, outcomeBody, sampleService } from './sample-service.fixture.ts'

/** Short windows, so that outcomes leave them; many payments that explore. */
const settings = {
  defaultLatencyThresholdSeconds: null,
  defaultBucketSize: 4,
  defaultHedgingPercent: 20,
  defaultLowerResetFactor: null,
  defaultUpperResetFactor: null,
  defaultGatewayExtraScore: null,
  subLevelInputConfig: null,
  margin: null,
}
const codec = createEventCodec(publishedSchemaIds(), { strict: true })
const GATEWAYS = ['adyen', 'stripe', 'checkout', 'wörldpay "eu"']

/** Many decisions and reports of few payments' kinds and gateways, so that windows fill, turn and forget. */
const step = fc.oneof(
  fc.record({
    kind: fc.constant('decide' as const),
    candidates: fc.array(fc.constantFrom(...GATEWAYS), { minLength: 2, maxLength: 6 }).filter((names) => new Set(names).size > 1),
    method: fc.constantFrom('CREDIT', 'DEBIT'),
    type: fc.constantFrom('CARD', 'card'),
  }),
  fc.record({
    kind: fc.constant('report' as const),
    back: fc.nat(6),
    gateway: fc.constantFrom(...GATEWAYS, 'another'),
    success: fc.boolean(),
  }),
)
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

/** Whether events are folded as they were made or as they were written: the fold of a process has the first, everybody else's the second. */
const foldedAs = fc.constantFrom('made' as const, 'written' as const)

const run = async (steps: readonly Step[], folded: 'made' | 'written'): Promise<void> => {
  const fold = createPaymentFold()
  const service = sampleService({ fold, slices: { 'success-rate-scoring': { settings } } })
  const reference = createReferenceDecider(settings)
  let foldedCount = 0
  let paymentCount = 0
  const catchUp = (): void => {
    for (const event of service.recorded.slice(foldedCount)) {
      fold.apply(folded === 'made' ? event : decodePaymentsEvent(codec, codec.encode(event)))
    }
    foldedCount = service.recorded.length
  }
  for (const one of steps) {
    if (one.kind === 'decide') {
      paymentCount += 1
      const payment = { paymentId: `p_${paymentCount}`, paymentMethod: one.method, paymentMethodType: one.type }
      const body = decisionBody({ eligibleGatewayList: one.candidates }, payment)
      const reply = await service.call('/decide-gateway', body)
      expect(reply.body).toEqual(JSON.parse(JSON.stringify(reference.decide(body))))
    } else {
      const paymentId = `p_${paymentCount - one.back}`
      const status = one.success ? 'CHARGED' : 'FAILURE'
      await service.call('/update-gateway-score', outcomeBody({ paymentId, gateway: one.gateway, status }))
      reference.report(paymentId, one.gateway, one.success)
    }
    catchUp()
  }
}

describe('the hot path', () => {
  test('answers as the plain reference does, whatever was decided and reported before', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 120, size: 'max' }), foldedAs, async (steps, folded) => {
        await run(steps, folded)
      }),
      { numRuns: 30 },
    )
  })
})
