const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/
const CALLER_ID = /^[\x21-\x7e]{1,64}$/

/** By which a request is found in the systems of its caller; a member that the caller did not send is absent. */
export interface RequestTrace {
  /** W3C `traceparent`: {@link TRACEPARENT_LENGTH} ASCII characters. */
  readonly trace?: string
  /** Id of a trace that comes without one: 1 to {@link CALLER_ID_LENGTH_MAX} visible ASCII characters. */
  readonly traceId?: string
  /** The caller's own id of what the request is a part of; of the same form. */
  readonly globalRequestId?: string
}

/** Whether a text has the form of a W3C `traceparent`. */
const isTraceparent = (text: string): boolean => TRACEPARENT.test(text)

/** Whether a text has the form of a caller's id. */
export const isCallerId = (text: string): boolean => CALLER_ID.test(text)

/** Whether all members that are there have their form. */
export const isRequestTrace = ({ trace, traceId, globalRequestId }: RequestTrace): boolean =>
  (trace === undefined || isTraceparent(trace)) &&
  (traceId === undefined || isCallerId(traceId)) &&
  (globalRequestId === undefined || isCallerId(globalRequestId))

/** The members that have their form; whatever else stands there is nothing to follow. */
export const wellFormedTrace = ({
  trace,
  traceId,
  globalRequestId,
}: Readonly<Partial<Record<keyof RequestTrace, unknown>>>): RequestTrace => ({
  ...(typeof trace === 'string' && isTraceparent(trace) && { trace }),
  ...(typeof traceId === 'string' && isCallerId(traceId) && { traceId }),
  ...(typeof globalRequestId === 'string' && isCallerId(globalRequestId) && { globalRequestId }),
})

const TRACE_ID_START = 3
const TRACE_ID_END = 35

/** The id of the trace, wherever it stands. */
export const traceIdIn = ({ trace, traceId }: RequestTrace): string | undefined => trace?.slice(TRACE_ID_START, TRACE_ID_END) ?? traceId
