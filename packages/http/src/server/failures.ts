import { assertNever, isOperatingError, type OperatingErrorCode } from '@switchyard/kernel'
import { platformError, unavailable } from '../errors.ts'
import type { Refusal, RouteReply, RouteSpec } from '../route.ts'

/** What a client may know of an operating error. */
const CLIENT_TEXTS: Readonly<Partial<Record<OperatingErrorCode, string>>> = {
  LOG_UNAVAILABLE: 'The event log cannot be reached; what was asked may or may not have been recorded. Read it back before trying again',
  LOG_CLOSED: 'The service is shutting down; try again',
  APPEND_BUFFER_FULL: 'Too many events are waiting for the event log; nothing was recorded. Try again',
  STORE_UNAVAILABLE: 'The read store cannot be reached; try again',
  STORE_CLOSED: 'The service is shutting down; try again',
  POSITION_NOT_REACHED: 'The service has not caught up with the position asked for; try again',
  SPOOL_UNAVAILABLE: 'The report cannot be stored at the moment; try again',
  QUERY_UNAVAILABLE: 'Queries cannot be answered at the moment; try again',
}

/** The same where nothing was to be recorded. */
const READER_TEXTS: typeof CLIENT_TEXTS = { ...CLIENT_TEXTS, LOG_UNAVAILABLE: 'The event log cannot be reached; try again' }

/** The answer when a handler failed: 503 when trying again can help, else 500; the cause goes to the log only. */
export const replyToFailure = (error: unknown, method?: RouteSpec['method']): RouteReply => {
  if (!isOperatingError(error) || !error.retryable) return platformError(500, 'TE_00', 'Something went wrong')
  const texts = method === 'GET' ? READER_TEXTS : CLIENT_TEXTS
  return unavailable(texts[error.code] ?? 'The service is not available; try again')
}

/** The platform's form of a refusal; routes with an envelope of their own set `refuse`. */
export const replyToRefusal = (refusal: Refusal): RouteReply => {
  switch (refusal.code) {
    case 'BODY_UNREADABLE':
      return platformError(400, 'TE_03', `Failed to parse the request body as JSON: ${refusal.detail}`)
    case 'BODY_ENCODED':
      return platformError(400, 'TE_03', 'Expected a request body without Content-Encoding')
    case 'BODY_TOO_LARGE':
      return platformError(413, 'TE_03', 'Failed to buffer the request body: length limit exceeded')
    case 'MERCHANT_NOT_FOUND':
      return platformError(404, 'TE_04', 'MerchantId not found')
    case 'MERCHANT_FOREIGN':
      return platformError(403, 'TE_04', `Credential does not belong to merchant ${refusal.merchantId}`)
    default:
      return assertNever(refusal)
  }
}
