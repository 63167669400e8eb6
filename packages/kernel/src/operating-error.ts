/** Failures of the world around the process, one closed list. Recognised by `code`, across packages. */
export type OperatingErrorCode =
  | 'LOG_UNAVAILABLE'
  | 'LOG_TRUNCATED'
  | 'LOG_LOST'
  | 'LOG_CLOSED'
  | 'APPEND_BUFFER_FULL'
  | 'STORE_UNAVAILABLE'
  | 'STORE_CLOSED'
  | 'SCHEMA_UNKNOWN'
  | 'SCHEMA_UNAVAILABLE'
  | 'RECORD_UNREADABLE'
  | 'POSITION_NOT_REACHED'
  | 'DATA_FOLDER_IN_USE'
  | 'DATA_FOLDER_FOREIGN'
  | 'DATA_FOLDER_UNWRITABLE'
  | 'ADDRESS_IN_USE'
  | 'SETTING_INVALID'
  | 'QUERY_UNAVAILABLE'
  | 'MAIL_UNAVAILABLE'
  | 'SPOOL_UNAVAILABLE'

/** An I/O failure: what happened, whether trying again can help, and what caused it. The message never carries a secret. */
export class OperatingError extends Error {
  override readonly name = 'OperatingError'
  readonly code: OperatingErrorCode
  readonly retryable: boolean

  constructor(code: OperatingErrorCode, message: string, options: { readonly retryable: boolean; readonly cause?: unknown }) {
    super(message, { cause: options.cause })
    this.code = code
    this.retryable = options.retryable
  }
}

/** Whether `error` is an {@link OperatingError}, optionally with this code. */
export const isOperatingError = (error: unknown, code?: OperatingErrorCode): error is OperatingError =>
  error instanceof Error && error.name === 'OperatingError' && 'code' in error && (code === undefined || error.code === code)

/** Causes that are told of an error: more say nothing new. */
const CAUSE_COUNT_MAX = 4

/** What an error says, and behind it what it was caused by: for a person who has to do something about it. */
export const messageWithCauses = (error: Error): string => {
  const messages = [error.message]
  let { cause } = error
  for (let depth = 0; cause instanceof Error && depth < CAUSE_COUNT_MAX; depth++) {
    // Some say themselves what they were caused by.
    if (messages.at(-1)?.endsWith(cause.message) !== true) messages.push(cause.message)
    cause = cause.cause
  }
  return messages.join(': ')
}
