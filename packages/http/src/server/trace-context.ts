import type { IncomingHttpHeaders } from 'node:http'
import { isCallerId, type RequestTrace, traceIdIn } from '@switchyard/kernel'
import { ownText } from '../own-text.ts'

/** W3C trace context, version 00 and whatever later ones keep of it: `version-trace-parent-flags`. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/
const TRACE_ID = /^[0-9a-f]{32}$/i
const TRACEPARENT_PART_COUNT = 4

/** Remembers which trace a request is part of. */
export interface TraceSink {
  readonly remember: (requestId: string, trace: RequestTrace) => void
}

/** The header `traceparent` when it is what W3C trace context asks for; whatever else stands there is ignored, as it says. */
const traceparentOf = ({ traceparent }: IncomingHttpHeaders): string | undefined =>
  typeof traceparent === 'string' && TRACEPARENT.test(traceparent) ? traceparent : undefined

const otherIdOf = (header: IncomingHttpHeaders[string]): string | undefined => {
  const id = typeof header === 'string' ? header.trim() : ''
  return isCallerId(id) ? id : undefined
}

/** The id of a trace without a whole `traceparent` (platform.md 1): of what there is of one, else `x-trace-id`, else `x-b3-traceid`. */
const traceIdOf = (headers: IncomingHttpHeaders): string | undefined => {
  const parts = typeof headers['traceparent'] === 'string' ? headers['traceparent'].trim().split('-') : []
  const [, id = ''] = parts
  if (parts.length === TRACEPARENT_PART_COUNT && TRACE_ID.test(id)) return id
  return otherIdOf(headers['x-trace-id']) ?? otherIdOf(headers['x-b3-traceid'])
}

/** What the headers say of the trace that a request is part of; undefined, as nearly always, when they say nothing. */
export const requestTraceOf = (headers: IncomingHttpHeaders): RequestTrace | undefined => {
  const trace = traceparentOf(headers)
  const traceId = trace === undefined ? traceIdOf(headers) : undefined
  const globalRequestId = otherIdOf(headers['x-global-request-id'])
  if (trace === undefined && traceId === undefined && globalRequestId === undefined) return undefined
  return {
    ...(trace !== undefined && { trace: ownText(trace) }),
    ...(traceId !== undefined && { traceId: ownText(traceId) }),
    ...(globalRequestId !== undefined && { globalRequestId: ownText(globalRequestId) }),
  }
}

/** What the log says of a request beside its id, so that it is found from elsewhere. */
export const correlationOf = (headers: IncomingHttpHeaders): { readonly traceId?: string; readonly globalRequestId?: string } => {
  const trace = requestTraceOf(headers) ?? {}
  const [traceId, { globalRequestId }] = [traceIdIn(trace), trace]
  return { ...(traceId !== undefined && { traceId }), ...(globalRequestId !== undefined && { globalRequestId }) }
}
