import { describe, expect, test } from '@jest/globals'
import { AssertionFailed, OperatingError } from '@switchyard/kernel'
import { failureOf } from './failures.ts'

const driverError = (name: string, fields: object = {}): Error => Object.assign(new Error('something with a secret'), { name, ...fields })

describe('failures of the driver', () => {
  test.each([
    ['KafkaJSConnectionError', {}, 'LOG_UNAVAILABLE', true],
    ['KafkaJSRequestTimeoutError', {}, 'LOG_UNAVAILABLE', true],
    ['KafkaJSProtocolError', { type: 'NOT_LEADER_FOR_PARTITION' }, 'LOG_UNAVAILABLE', true],
    ['KafkaJSProtocolError', { type: 'OUT_OF_ORDER_SEQUENCE_NUMBER' }, 'LOG_UNAVAILABLE', true],
    ['KafkaJSSASLAuthenticationError', {}, 'LOG_UNAVAILABLE', false],
    ['KafkaJSProtocolError', { type: 'TOPIC_AUTHORIZATION_FAILED' }, 'LOG_UNAVAILABLE', false],
    ['KafkaJSProtocolError', { type: 'MESSAGE_TOO_LARGE' }, 'LOG_UNAVAILABLE', false],
    ['KafkaJSProtocolError', { type: 'UNKNOWN_TOPIC_OR_PARTITION' }, 'LOG_LOST', false],
    ['KafkaJSOffsetOutOfRange', { type: 'OFFSET_OUT_OF_RANGE' }, 'LOG_TRUNCATED', false],
  ])('%s %j is %s, retryable %p', (name, fields, code, retryable) => {
    const error = driverError(name, fields)
    expect(failureOf(error, 'append')).toMatchObject({ code, retryable, cause: error, message: expect.not.stringContaining('secret') })
  })

  test('topics that need more copies than there are brokers are told as that, and waited for: it was told as brokers that do not answer', () => {
    const refused = driverError('KafkaJSCreateTopicError', { type: 'INVALID_REPLICATION_FACTOR' })
    const failure = failureOf(driverError('KafkaJSAggregateError', { errors: [refused, refused] }), 'topics')
    expect(failure).toMatchObject({
      code: 'LOG_UNAVAILABLE',
      retryable: true,
      cause: refused,
      message: 'topics: there are fewer brokers than SWITCHYARD_KAFKA_REPLICATION asks for copies',
    })
  })

  test('a refusal among what several topics failed for is one, however the others ended', () => {
    const exists = driverError('KafkaJSCreateTopicError', { type: 'TOPIC_ALREADY_EXISTS' })
    const refused = driverError('KafkaJSCreateTopicError', { type: 'POLICY_VIOLATION' })
    const failure = failureOf(driverError('KafkaJSAggregateError', { errors: [exists, refused] }), 'topics')
    expect(failure).toMatchObject({ code: 'LOG_UNAVAILABLE', retryable: false, cause: refused })
    const passing = driverError('KafkaJSAggregateError', { errors: [exists] })
    expect(failureOf(passing, 'topics')).toMatchObject({ code: 'LOG_UNAVAILABLE', retryable: true, cause: passing })
  })

  test('what gave up is judged by its cause', () => {
    const cause = driverError('KafkaJSSASLAuthenticationError')
    expect(failureOf(driverError('KafkaJSNonRetriableError', { cause }), 'append')).toMatchObject({ retryable: false })
  })

  test('what is not of the driver stays as it is', () => {
    const own = new OperatingError('LOG_TRUNCATED', 'gone', { retryable: false })
    expect(failureOf(own, 'read')).toBe(own)
    const bug = new AssertionFailed('bug')
    expect(failureOf(bug, 'read')).toBe(bug)
    expect(failureOf('text', 'read')).toBe('text')
  })

  test('a connection that is still being opened for another request is a failure that passes', () => {
    expect(failureOf(new Error('Broker not connected'), 'read')).toMatchObject({ code: 'LOG_UNAVAILABLE', retryable: true })
  })

  test('a broken connection of the system is a failure that passes', () => {
    expect(failureOf(Object.assign(new Error('reset'), { code: 'ECONNRESET' }), 'read')).toMatchObject({ code: 'LOG_UNAVAILABLE' })
  })
})
