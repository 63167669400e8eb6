import { describe, expect, test } from '@jest/globals'
import { decimal, parseAuditQuery, parseScoreQuery } from './analytics-query.ts'

const score = (query: string) => parseScoreQuery(new URLSearchParams(query), 0)
const audit = (query: string, kind: 'live' | 'preview' = 'live') => parseAuditQuery(new URLSearchParams(query), kind, 0)

describe('score queries', () => {
  test('nothing given: the last hour of everything', () => {
    expect(score('')).toEqual({
      window: { range: '1h', startMs: undefined, endMs: undefined, bucket: undefined, historySince: 0 },
      dimensions: {
        paymentMethodType: undefined,
        paymentMethod: undefined,
        cardNetwork: undefined,
        cardIsIn: undefined,
        currency: undefined,
        country: undefined,
        authType: undefined,
      },
      gateways: [],
    })
  })

  test('dimensions are exact, empty ones are not given, gateways are a list', () => {
    const { dimensions, gateways } = score('currency=EUR&country=&card_is_in=411111&gateway=%20adyen%20,,stripe')
    expect(dimensions).toMatchObject({ currency: 'EUR', country: undefined, cardIsIn: '411111' })
    expect(gateways).toEqual(['adyen', 'stripe'])
  })

  test.each(['1H', 'forever', ''])('range %j means an hour', (range) => {
    expect(score(`range=${range}`).window.range).toBe('1h')
  })

  test('unknown parameters are of no interest, even repeated', () => {
    expect(() => score('colour=red&colour=blue&merchant_id=m_2')).not.toThrow()
  })

  test.each([
    ['page=1&page=2', 'page: given more than once'],
    ['flow_type=a&flow_type=b', 'flow_type: given more than once'],
    ['start_ms=soon', 'start_ms: expected an integer'],
    ['end_ms=1.5', 'end_ms: expected an integer'],
    ['end_ms=99999999999999999999', 'end_ms: expected an integer'],
    ['page=-1', 'page: expected an integer from 0 to 4294967295'],
    ['page_size=4294967296', 'page_size: expected an integer from 0 to 4294967295'],
    ['bucket=2m', 'bucket: expected one of 1m, 5m, 15m, 1h, 1d'],
  ])('%s is refused by name', (query, message) => {
    expect(() => score(query)).toThrow(expect.objectContaining({ name: 'InvalidQuery', message }))
  })
})

describe('decimal numbers', () => {
  const margin = (value: string) => decimal(new URLSearchParams({ evaluation_margin: value }), 'evaluation_margin')

  test.each([
    ['0.25', 0.25],
    ['-1', -1],
    ['.5', 0.5],
    ['5.', 5],
    ['+1E2', 100],
    ['', undefined],
  ])('%j is one', (value, number) => {
    expect(margin(value)).toBe(number)
  })

  test.each([' ', '0x10', '0b1', '1_0', 'NaN', 'Infinity', '1e400', '.', '1e'])('%j is refused by name', (value) => {
    expect(() => margin(value)).toThrow(expect.objectContaining({ message: 'evaluation_margin: expected a number' }))
  })
})

describe('audit queries', () => {
  test.each([
    ['', 1, 12],
    ['page=0&page_size=0', 1, 1],
    ['page=3&page_size=50', 3, 50],
    ['page_size=51', 1, 50],
  ])('%j is page %d of %d', (query, page, pageSize) => {
    expect(audit(query).query).toMatchObject({ page, pageSize })
  })

  test('a payment id wins over a request id', () => {
    expect(audit('payment_id=p&request_id=r')).toMatchObject({ paymentId: 'p', requestId: undefined, query: { exactId: 'p' } })
    expect(audit('payment_id=&request_id=r')).toMatchObject({ paymentId: undefined, requestId: 'r', query: { exactId: 'r' } })
  })

  test.each([
    ['decide_gateway', 'decide_gateway'],
    ['decision_gateway', 'decide_gateway'],
    ['Update Gateway', 'update_gateway_score'],
    ['Rule Evaluate', 'routing_evaluate'],
    ['teleport', undefined],
    ['constructor', undefined],
  ])('route %s is %s', (given, route) => {
    expect(audit(`route=${given}`).query.route).toBe(route)
  })

  test('previews have one route', () => {
    expect(audit('route=decide_gateway', 'preview').query).toMatchObject({ route: 'routing_evaluate', summaryKind: 'preview' })
  })

  test.each([
    ['%20Success%20', 'success'],
    ['failure', 'FAILURE'],
    ['CHARGED', 'CHARGED'],
    ['%20', undefined],
  ])('status %s is %s', (given, status) => {
    expect(audit(`status=${given}`).query.status).toBe(status)
  })
})
