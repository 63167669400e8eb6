import { expect, test } from '@jest/globals'
import { messageWithCauses, OperatingError } from './operating-error.ts'

const failed = (message: string, cause?: unknown): OperatingError =>
  new OperatingError('LOG_UNAVAILABLE', message, { retryable: true, cause })

test('what could not be done is told with all that caused it', () => {
  const full = new Error('no space left')
  expect(messageWithCauses(failed('the log could not be opened', new Error('a write failed', { cause: full })))).toBe(
    'the log could not be opened: a write failed: no space left',
  )
  expect(messageWithCauses(failed('the log is closed'))).toBe('the log is closed')
})

test('a cause that the message ends with is not told again, but what caused it is', () => {
  const full = new Error('a write failed', { cause: new Error('no space left') })
  expect(messageWithCauses(failed('/data can not be written: a write failed', full))).toBe(
    '/data can not be written: a write failed: no space left',
  )
})

test('causes that go round and round are told for a while', () => {
  const one = new Error('one')
  one.cause = one
  expect(messageWithCauses(one).split(': ').length).toBeLessThan(10)
})
