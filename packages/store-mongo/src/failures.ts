import { setTimeout as sleep } from 'node:timers/promises'
import { types } from 'node:util'
import { OperatingError } from '@switchyard/kernel'
import { BSON, MongoAPIError, MongoError, MongoNotConnectedError, MongoServerClosedError, MongoServerError } from 'mongodb'
import { RETRY_COUNT_MAX, RETRY_PAUSE_MS, RETRY_WINDOW_MS } from './limits.ts'

/** BadValue, FailedToParse, Unauthorized, TypeMismatch, AuthenticationFailed, DocumentValidationFailure, AtlasError, BSONObjectTooLarge. */
const PERMANENT_CODES: ReadonlySet<unknown> = new Set([2, 9, 13, 14, 18, 121, 8000, 10_334])

/** Whether trying again can help. */
const isTransient = (error: unknown): boolean => {
  if (error instanceof MongoServerError) return !PERMANENT_CODES.has(error.code)
  if (error instanceof MongoNotConnectedError || error instanceof MongoServerClosedError) return true
  return isOfSystem(error) || (error instanceof MongoError && !(error instanceof MongoAPIError))
}

/** What Node says of a connection that the other side has ended, or that is over here, instead of the system. */
const CONNECTION_CODES: ReadonlySet<unknown> = new Set(['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END'])

/** Looking up the names of `mongodb+srv://` fails as the system does, and so does a write to a connection that ends just then: the driver passes both on. */
const isOfSystem = (error: unknown): error is Error =>
  types.isNativeError(error) && ('syscall' in error || ('code' in error && CONNECTION_CODES.has(error.code)))

const isOfDriver = (error: unknown): error is Error => error instanceof MongoError || error instanceof BSON.BSONError || isOfSystem(error)

/** Only what is said: errors of the driver carry documents, and an address may carry a password. */
const causeOf = (error: Error): Error => {
  const code = error instanceof MongoError && error.code !== undefined ? ` ${error.code}` : ''
  return new Error(`${error.name}${code}: ${error.message.replace(/\/\/[^@/\s]*@/g, '//…@')}`)
}

/** A failure of the server or the way to it. */
const unavailable = (message: string, error: Error): OperatingError =>
  new OperatingError('STORE_UNAVAILABLE', message, { retryable: isTransient(error), cause: causeOf(error) })

/** Makes the call, again after a pause of random length when a failure may pass; what remains is `STORE_UNAVAILABLE`. */
export const reaching = async <Result>(message: string, call: () => Promise<Result>): Promise<Result> => {
  const startedAt = performance.now()
  for (let attempt = 0; ; attempt++) {
    try {
      return await call()
    } catch (error) {
      if (!isOfDriver(error)) throw error
      const isSpent = attempt >= RETRY_COUNT_MAX || performance.now() - startedAt > RETRY_WINDOW_MS
      if (isSpent || !isTransient(error)) throw unavailable(message, error)
      await sleep(Math.random() * RETRY_PAUSE_MS * 2 ** attempt)
    }
  }
}
