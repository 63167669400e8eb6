import type { IncomingHttpHeaders } from 'node:http'

/** W3C trace context, version 00 and whatever later ones keep of it: `version-trace-parent-flags`. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/
const TRACE_ID = /^[0-9a-f]{32}$/i
const TRACEPARENT_PART_COUNT = 4
/** Ids of other kinds of traces: visible, and of bounded length. */
const OTHER_TRACE_ID = /^[\x21-\x7e]{1,64}$/

/** Remembers which trace a request is part of. */
export interface TraceSink {
  /** `traceparent` is valid by W3C trace context. */
  readonly remember: (requestId: string, traceparent: string) => void
}

/** The header `traceparent` when it is what W3C trace context asks for; whatever else stands there is ignored, as it says. */
export const traceparentOf = ({ traceparent }: IncomingHttpHeaders): string | undefined =>
  typeof traceparent === 'string' && TRACEPARENT.test(traceparent) ? traceparent : undefined

const otherIdOf = (header: IncomingHttpHeaders[string]): string | undefined => {
  const id = typeof header === 'string' ? header.trim() : ''
  return OTHER_TRACE_ID.test(id) ? id : undefined
}

/** The id of the trace for the log (platform.md 1): of `traceparent`, else `x-trace-id`, else `x-b3-traceid`. */
export const traceIdOf = (headers: IncomingHttpHeaders): string | undefined => {
  const parts = typeof headers['traceparent'] === 'string' ? headers['traceparent'].trim().split('-') : []
  const [, id = ''] = parts
  if (parts.length === TRACEPARENT_PART_COUNT && TRACE_ID.test(id)) return id
  return otherIdOf(headers['x-trace-id']) ?? otherIdOf(headers['x-b3-traceid'])
}

/** What the log says of a request beside its id, so that it is found from elsewhere. */
export const correlationOf = (headers: IncomingHttpHeaders): { readonly traceId?: string; readonly globalRequestId?: string } => {
  const traceId = traceIdOf(headers)
  const globalRequestId = otherIdOf(headers['x-global-request-id'])
  return { ...(traceId !== undefined && { traceId }), ...(globalRequestId !== undefined && { globalRequestId }) }
}
