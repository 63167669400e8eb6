import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from '@jest/globals'
import type { PaymentsEvent } from '@switchyard/events'
import { decisionBody, outcomeBody, sampleService } from '../sample-service.fixture.ts'

const PATH = '/update-gateway-score'
const strict = { 'x-strict': 'true' }

describe('POST /update-gateway-score', () => {
  test('answers when the report is durable, and says where it stands', async () => {
    const service = sampleService()
    const reply = await service.call(
      PATH,
      outcomeBody({
        gatewayReferenceId: 'ref',
        isSmartRetry: true,
        txnLatency: { gatewayLatency: 812.5 },
        enforceDynamicRoutingFailure: null,
      }),
    )
    expect(reply).toEqual({
      status: 200,
      body: { message: 'Gateway score updated successfully', merchant_id: 'm_9', gateway: 'adyen', payment_id: 'p_77' },
      headers: { 'x-log-position': 'payments-2-0' },
    })
    expect(service.recorded).toEqual([
      {
        type: 'OutcomeRecorded',
        data: {
          merchantId: 'm_9',
          paymentId: 'p_77',
          requestId: 'r_1',
          at: 1_000,
          gateway: 'adyen',
          status: 'CHARGED',
          statusClass: 'SUCCESS',
          gatewayReferenceId: 'ref',
          enforceFailure: false,
          gatewayLatencyMs: 812.5,
          smartRetry: true,
          error: null,
          errorClass: null,
          excused: false,
          upload: null,
          merchantRegistrationCount: 0,
        },
      },
    ])
  })

  test('texts of errors are bounded and never carry a card number', async () => {
    const service = sampleService()
    const errorMessage = `card 4242 4242-4242 4242 refused ${'x'.repeat(2_000)}`
    await service.call(PATH, outcomeBody({ status: 'FAILURE', errorInfo: { connector: 'other', errorCode: '05', errorMessage } }))
    const [event] = service.recorded
    expect(event).toMatchObject({ data: { error: { flow: '', subFlow: '', errorCode: '05', issuerErrorCode: null, cardNetwork: null } } })
    expect(event).toMatchObject({ data: { error: { errorMessage: expect.stringMatching(/^card \[digits\] refused x{900}/) } } })
    expect(JSON.stringify(event).length).toBeLessThan(1_600)
  })

  test.each([
    ['an unknown status', outcomeBody({ status: 'charged' }), 'field `status`'],
    ['no status', outcomeBody({ status: undefined }), 'missing field `status`'],
    ['no connector in the error', outcomeBody({ errorInfo: {} }), 'missing field `errorInfo.connector`'],
    ['a gateway without a name', outcomeBody({ gateway: '' }), 'field `gateway`'],
    ['a latency as text', outcomeBody({ txnLatency: { gatewayLatency: '5' } }), 'field `txnLatency.gatewayLatency`'],
  ])('%s is told', async (_, body, expected) => {
    const service = sampleService()
    expect(await service.call(PATH, body)).toMatchObject({
      status: 400,
      body: {
        error_message: 'Error parsing request',
        error_info: { code: 'INVALID_INPUT', developer_message: expect.stringContaining(expected) },
      },
    })
    expect(service.recorded).toMatchObject([
      { type: 'OutcomeRefused', data: { paymentId: 'p_77', stage: 'request_parse_failed', gateway: Reflect.get(body, 'gateway') || null } },
    ])
  })

  test('a report for the merchant of another stood under a stage that audits have no name for', () => {
    const service = sampleService()
    service.refuse(PATH, { code: 'MERCHANT_FOREIGN', merchantId: 'm_0' }, undefined)
    expect(service.recorded).toMatchObject([{ type: 'OutcomeRefused', data: { merchantId: 'm_9', stage: 'score_update_failed' } }])
  })

  test('a report that could not be stored is told to be sent again', async () => {
    expect(await sampleService({ log: 'away' }).call(PATH, outcomeBody())).toMatchObject({
      status: 503,
      headers: { 'retry-after': '1' },
      body: { status: '503', error_code: 'LOG_UNAVAILABLE', error_message: 'The outcome could not be stored; please send it again' },
    })
  })
})

describe('a strict report', () => {
  test('of an unknown payment is turned away and not recorded', async () => {
    const service = sampleService()
    expect(await service.call(PATH, outcomeBody(), strict)).toMatchObject({
      status: 404,
      body: { error_code: 'GATEWAY_SCORING_DATA_NOT_FOUND', error_info: { code: 'GATEWAY_SCORING_DATA_NOT_FOUND' } },
    })
    expect(service.recorded).toEqual([])
    expect((await service.call(PATH, outcomeBody())).status).toBe(200)
  })

  test('finds a decision that was made a moment ago', async () => {
    const service = sampleService()
    await service.call('/decide-gateway', decisionBody())
    expect((await service.call(PATH, outcomeBody(), strict)).status).toBe(200)
  })

  test('finds a decision of another process once the fold has caught up', async () => {
    const other = sampleService()
    await other.call('/decide-gateway', decisionBody())
    const service = sampleService({ catchUp: other.recorded })
    expect((await service.call(PATH, outcomeBody(), strict)).status).toBe(200)
  })

  test('finds a decision of another process that is on its way into the log', async () => {
    const other = sampleService()
    await other.call('/decide-gateway', decisionBody())
    const catchUp: PaymentsEvent[] = []
    const service = sampleService({ catchUp })
    const report = service.call(PATH, outcomeBody({ status: 'FAILURE' }), strict)
    await pause(10)
    catchUp.push(...other.recorded)
    expect((await report).status).toBe(200)
  })

  test('that waits while its merchant is closed, and the id registered again, is none of the new merchant', async () => {
    const life = (registrationCount: number) => ({ merchants: { registered: true, registrationCount } })
    const other = sampleService({ slices: life(1) })
    await other.call('/decide-gateway', decisionBody())
    const service = sampleService({ slices: life(1), later: life(2), catchUp: other.recorded })
    expect((await service.call(PATH, outcomeBody(), strict)).status).toBe(404)
    expect(service.recorded).toEqual([])
  })

  test('decisions and reports meet in the fold', async () => {
    const service = sampleService()
    await service.call('/decide-gateway', decisionBody())
    await service.call(PATH, outcomeBody({ status: 'FAILURE' }))
    for (const event of service.recorded) service.fold.apply(event)
    const { body } = await service.call('/decide-gateway', decisionBody({}, { paymentId: 'p_78' }))
    expect(body).toMatchObject({ gateway_priority_map: { adyen: 0.992, stripe: 1, checkout: 1 } })
  })
})
