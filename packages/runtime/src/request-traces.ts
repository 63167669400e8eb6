import type { RequestTrace } from '@switchyard/kernel'
import { REMEMBERED_TRACE_COUNT_MAX } from './limits.ts'

/** Which trace the requests of a process are part of: the edge hears of it, and whoever writes their events asks for it. */
export interface RequestTraces {
  readonly remember: (requestId: string, trace: RequestTrace) => void
  /** Undefined: the request is part of none, or {@link REMEMBERED_TRACE_COUNT_MAX} others came after it. */
  readonly of: (requestId: string) => RequestTrace | undefined
}

/** Beside the events instead of in them: what a client traces is no business of a decision. */
export const createRequestTraces = (): RequestTraces => {
  const traces = new Map<string, RequestTrace>()
  return {
    remember: (requestId, trace) => {
      traces.delete(requestId)
      if (traces.size >= REMEMBERED_TRACE_COUNT_MAX) {
        // A Map is ordered by insertion.
        const [oldest] = traces.keys()
        if (oldest !== undefined) traces.delete(oldest)
      }
      traces.set(requestId, trace)
    },
    of: (requestId) => (traces.size === 0 ? undefined : traces.get(requestId)),
  }
}
