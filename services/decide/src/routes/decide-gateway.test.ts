import { describe, expect, test } from '@jest/globals'
import { createEventCodec, publishedSchemaIds } from '@switchyard/events'
import { decisionBody, sampleService } from '../sample-service.fixture.ts'

const PATH = '/decide-gateway'
const noExploration = { 'success-rate-scoring': { settings: { ...settingsWith(0) } } }

function settingsWith(defaultHedgingPercent: number) {
  return {
    defaultLatencyThresholdSeconds: null,
    defaultBucketSize: null,
    defaultHedgingPercent,
    defaultLowerResetFactor: null,
    defaultUpperResetFactor: null,
    defaultGatewayExtraScore: null,
    subLevelInputConfig: null,
    margin: null,
  }
}

const problem = (changes: object, info: object): object => ({
  status: '400',
  error_code: '400',
  error_message: 'Error parsing request',
  priority_logic_tag: null,
  routing_approach: null,
  filter_wise_gateways: null,
  priority_logic_output: null,
  is_dynamic_mga_enabled: false,
  ...changes,
  error_info: {
    code: 'INVALID_INPUT',
    user_message: 'Invalid request params. Please verify your input.',
    developer_message: 'missing field `paymentInfo`',
    ...info,
  },
})

describe('POST /decide-gateway', () => {
  test('answers with every member, and records the decision behind it', async () => {
    const service = sampleService({ slices: noExploration })
    const { status, body } = await service.call(PATH, decisionBody())
    expect(status).toBe(200)
    expect(body).toEqual({
      decided_gateway: expect.stringMatching(/^(stripe|adyen|checkout)$/),
      fallback_gateways: expect.any(Array),
      gateway_priority_map: { adyen: 1, checkout: 1, stripe: 1 },
      filter_wise_gateways: null,
      priority_logic_tag: null,
      routing_approach: 'SR_SELECTION_V3_ROUTING',
      gateway_before_evaluation: expect.any(String),
      priority_logic_output: {
        isEnforcement: false,
        gws: ['stripe', 'adyen', 'checkout'],
        priorityLogicTag: null,
        gatewayReferenceIds: {},
        primaryLogic: null,
        fallbackLogic: null,
      },
      debit_routing_output: null,
      reset_approach: 'NO_RESET',
      routing_dimension: 'ORDER_PAYMENT, CARD, CREDIT, UNKNOWN',
      routing_dimension_level: 'CARD_LEVEL',
      is_scheduled_outage: false,
      is_dynamic_mga_enabled: false,
      gateway_mga_id_map: null,
      is_rust_based_decider: true,
      latency: 0,
      multi_objective_info: null,
    })
    expect(service.recorded).toMatchObject([
      {
        type: 'GatewayDecided',
        data: {
          merchantId: 'm_9',
          paymentId: 'p_77',
          requestId: 'r_1',
          at: 1_000,
          candidates: ['stripe', 'adyen', 'checkout'],
          cardNetwork: 'VISA',
          eliminationRequested: false,
          multiObjectiveRequested: null,
          knobs: { bucketSize: 125, hedgingPercent: 0, latencyThresholdMs: 90_000, outcomeWindowMs: 1_800_000 },
          latencyUs: 250,
        },
      },
    ])
  })

  test('every event fits its schema', async () => {
    const codec = createEventCodec(publishedSchemaIds(), { strict: true })
    const service = sampleService()
    await service.call(PATH, decisionBody())
    await service.call(PATH, decisionBody({ eligibleGatewayList: [] }))
    await service.call('/update-gateway-score', {
      merchantId: 'm_9',
      gateway: 'a',
      paymentId: 'p',
      status: 'FAILURE',
      errorInfo: { connector: 'a' },
    })
    await service.call('/update-gateway-score', {})
    expect(service.recorded.map((event) => codec.decode(codec.encode(event)))).toEqual(service.recorded)
    expect(service.recorded.map(({ type }) => type)).toEqual(['GatewayDecided', 'DecisionRefused', 'OutcomeRecorded', 'OutcomeRefused'])
  })

  test('the network routes need the debit flag', async () => {
    const hybrid = decisionBody({ rankingAlgorithm: 'NTW_SR_HYBRID_ROUTING' })
    const { status, body } = await sampleService().call(PATH, hybrid)
    expect(status).toBe(400)
    const message = 'Debit routing is not enabled for merchant: m_9'
    expect(body).toMatchObject({
      status: 'Forbidden',
      error_code: 'debit_routing_not_enabled',
      error_message: message,
      error_info: { code: 'TE_05' },
    })

    const enabled = sampleService({ slices: { 'debit-routing': { enabled: true } } })
    expect((await enabled.call(PATH, hybrid)).body).toMatchObject({ debit_routing_output: null, is_rust_based_decider: true })
    expect((await enabled.call(PATH, decisionBody({ rankingAlgorithm: 'NTW_BASED_ROUTING' }))).body).toMatchObject({
      status: 'Invalid Request',
      error_message: "Can't find the co-badged card network",
      error_info: { code: 'CO_BADGED_NETWORK_NOT_FOUND' },
    })
  })

  test.each([[null], [[]], [undefined]])('no candidates (%j): the whole error of the sheet', async (eligibleGatewayList) => {
    const service = sampleService()
    const { status, body } = await service.call(PATH, decisionBody({ eligibleGatewayList }))
    const message = 'Gateway not found to process the transaction request.'
    expect(status).toBe(400)
    expect(body).toEqual(
      problem(
        {
          status: 'Invalid Request',
          error_code: 'invalid_request_error',
          error_message: "Can't find a suitable gateway to process the transaction",
          routing_approach: 'NONE',
          priority_logic_output: {
            isEnforcement: false,
            gws: [],
            priorityLogicTag: null,
            gatewayReferenceIds: {},
            primaryLogic: null,
            fallbackLogic: null,
          },
        },
        { code: 'GATEWAY_NOT_FOUND', user_message: message, developer_message: message },
      ),
    )
    expect(service.recorded).toMatchObject([
      { type: 'DecisionRefused', data: { paymentId: 'p_77', errorCode: 'GATEWAY_NOT_FOUND', approach: 'NONE' } },
    ])
  })

  test.each([
    ['no payment', { merchantId: 'm_9' }, 'missing field `paymentInfo`'],
    ['no merchant', decisionBody({ merchantId: undefined }), 'missing field `merchantId`'],
    ['a null where a value is needed', decisionBody({}, { amount: null }), 'missing field `paymentInfo.amount`'],
    ['no object', [], 'expected an object'],
    ['an amount as text', decisionBody({}, { amount: '12' }), 'field `paymentInfo.amount`'],
    ['an endless amount', decisionBody({}, { amount: Number.POSITIVE_INFINITY }), 'field `paymentInfo.amount`'],
    ['a currency in lower case', decisionBody({}, { currency: 'usd' }), 'expected an ISO 4217 code'],
    ['an unknown country', decisionBody({}, { country: 'XX' }), 'expected an ISO 3166 alpha-2 code'],
    ['a country in lower case', decisionBody({}, { country: 'us' }), 'expected an ISO 3166 alpha-2 code'],
    ['an unknown ranking', decisionBody({ rankingAlgorithm: 'BEST' }), 'field `rankingAlgorithm`'],
    ['an unknown payment type', decisionBody({}, { paymentType: 'order' }), 'field `paymentInfo.paymentType`'],
    ['an unknown card type', decisionBody({}, { cardType: 'credit' }), 'field `paymentInfo.cardType`'],
    ['an id of 65 characters', decisionBody({}, { paymentId: 'x'.repeat(65) }), 'field `paymentInfo.paymentId`'],
    ['a candidate without a name', decisionBody({ eligibleGatewayList: ['stripe', ''] }), 'field `eligibleGatewayList[1]`'],
    ['more candidates than the limit', decisionBody({ eligibleGatewayList: Array(101).fill('a') }), 'field `eligibleGatewayList`'],
  ])('%s is told', async (_, body, expected) => {
    const service = sampleService()
    const reply = await service.call(PATH, body)
    expect(reply.status).toBe(400)
    expect(reply.body).toEqual(problem({}, { developer_message: expect.stringContaining(expected) }))
    expect(service.recorded).toMatchObject([
      { type: 'DecisionRefused', data: { merchantId: 'm_9', stage: 'request_parse_failed', errorCode: 'INVALID_INPUT' } },
    ])
  })

  test('a refusal tells what the payment was, as far as it could be read', async () => {
    const recordedOf = async (body: unknown) => {
      const service = sampleService()
      await service.call(PATH, body)
      return service.recorded
    }
    const payment = { paymentMethodType: 'CARD', paymentMethod: 'CREDIT', cardNetwork: 'VISA', cardIsIn: '424242', country: 'US' }
    expect(await recordedOf(decisionBody({ eligibleGatewayList: [] }, { authType: 'THREE_DS2' }))).toMatchObject([
      { type: 'DecisionRefused', data: { payment: { ...payment, currency: 'USD', authType: 'THREE_DS_2' } } },
    ])
    const unread = decisionBody({}, { currency: 7, cardIsin: '4242424242424242', paymentMethod: 'x'.repeat(65) })
    expect(await recordedOf(unread)).toMatchObject([
      { data: { payment: { ...payment, currency: null, paymentMethod: null, cardIsIn: '42424242' } } },
    ])
    expect(await recordedOf({ merchantId: 'm_9' })).toMatchObject([{ data: { payment: null } }])
  })

  test.each(['MRU', 'RON', 'SLE', 'STN', 'VES', 'XXX'])('the currency %s is accepted', async (currency) => {
    expect((await sampleService().call(PATH, decisionBody({}, { currency }))).status).toBe(200)
  })

  test('unknown members are ignored, null and missing are the same, both spellings of 3-D Secure 2 are one', async () => {
    const service = sampleService()
    for (const authType of ['THREE_DS2', 'THREE_DS_2']) {
      const body = decisionBody({ novelty: 1, enableMultiObjective: null }, { authType, udfs: null, cardType: null, novelty: {} })
      expect((await service.call(PATH, body)).status).toBe(200)
    }
    expect(service.recorded).toMatchObject([{ data: { authType: 'THREE_DS_2' } }, { data: { authType: 'THREE_DS_2' } }])
  })

  test('of a card number only eight digits are kept', async () => {
    const service = sampleService()
    await service.call(PATH, decisionBody({}, { cardIsin: '4242424242424242' }))
    expect(JSON.stringify(service.recorded)).not.toContain('424242424')
    expect(service.recorded).toMatchObject([{ data: { cardIsIn: '42424242' } }])
  })

  test.each([
    ['{"extended_card_bin":"41111112","other":1}', '41111112'],
    ['{"extended_card_bin":"411111123333"}', '41111112'],
    ['{"extended_card_bin":411111}', '42424242'],
    ['{"extended_card_bin":""}', '42424242'],
    ['{"extended_card_bin":"411111"', '42424242'],
    ['["extended_card_bin"]', '42424242'],
    ['somebody@bank', '42424242'],
  ])('a payment source with an extended BIN wins over the digits of the card: %s', async (paymentSource, cardIsIn) => {
    const service = sampleService()
    const payment = { cardIsin: '42424242', paymentSource }
    await service.call(PATH, decisionBody({}, payment))
    await service.call(PATH, decisionBody({}, { ...payment, amount: 'much' }))
    expect(service.recorded).toMatchObject([{ data: { cardIsIn } }, { data: { payment: { cardIsIn } } }])
  })

  test('duplicates are removed and a wish is honoured for a single candidate', async () => {
    const single = decisionBody({ eligibleGatewayList: ['stripe', 'stripe'] }, { preferredGateway: 'stripe' })
    expect((await sampleService().call(PATH, single)).body).toMatchObject({
      decided_gateway: 'stripe',
      fallback_gateways: [],
      gateway_priority_map: { stripe: 1 },
      routing_approach: 'MERCHANT_PREFERENCE',
      priority_logic_output: null,
      routing_dimension: null,
      routing_dimension_level: null,
    })
  })

  test('a live algorithm rules the priority list', async () => {
    const connectors = [
      { gatewayName: 'checkout', gatewayId: null },
      { gatewayName: 'stripe', gatewayId: null },
    ]
    const stored = {
      id: 'a_1',
      name: 'main list',
      description: '',
      purpose: 'PAYMENT',
      kind: 'PRIORITY',
      definition: JSON.stringify({ form: 'priority', connectors }),
      createdAt: 0,
      modifiedAt: 0,
    }
    const slices = { 'routing-algorithms': { algorithms: [stored], active: [{ purpose: 'PAYMENT', algorithmId: 'a_1' }] } }
    const { body } = await sampleService({ slices }).call(PATH, decisionBody({ rankingAlgorithm: 'PL_BASED_ROUTING' }))
    expect(body).toMatchObject({
      decided_gateway: 'checkout',
      fallback_gateways: ['stripe', 'adyen'],
      gateway_priority_map: { checkout: 1, stripe: 0.9, adyen: 0.8 },
      priority_logic_tag: 'main list',
      routing_approach: 'PRIORITY_LOGIC',
      priority_logic_output: {
        gws: ['checkout', 'stripe'],
        priorityLogicTag: 'main list',
        primaryLogic: { name: 'main list', status: 'SUCCESS', failure_reason: 'NO_ERROR' },
      },
    })
  })
})

describe('what the gate refuses on decision routes', () => {
  test.each([
    [{ code: 'BODY_UNREADABLE', detail: 'Unexpected token in 4242424242424242' }, 400, 'INVALID_INPUT', 'request_parse_failed'],
    [{ code: 'BODY_TOO_LARGE', limitBytes: 10 }, 413, 'INVALID_INPUT', 'request_read_failed'],
    [{ code: 'MERCHANT_NOT_FOUND', merchantId: 'm_0' }, 400, 'MERCHANT_NOT_FOUND', 'request_failed'],
    [{ code: 'MERCHANT_FOREIGN', merchantId: 'm_0' }, 403, 'MERCHANT_FOREIGN', 'request_failed'],
  ] as const)('%j stood under a stage that audits have no name for', (refusal, status, code, stage) => {
    const service = sampleService()
    const reply = service.refuse(PATH, refusal, undefined)
    expect(reply).toMatchObject({ status, body: { error_info: { code }, is_dynamic_mga_enabled: false } })
    expect(service.recorded).toMatchObject([{ type: 'DecisionRefused', data: { merchantId: 'm_9', stage, errorCode: code } }])
    expect(JSON.stringify(service.recorded)).not.toContain('4242')
  })

  test('nothing is recorded when the caller has no merchant', () => {
    const service = sampleService({ identity: { kind: 'admin' } })
    service.refuse(PATH, { code: 'MERCHANT_NOT_FOUND', merchantId: 'm_0' }, undefined)
    expect(service.recorded).toEqual([])
  })
})
