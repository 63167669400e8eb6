import { expect, test } from '@jest/globals'
import { REMEMBERED_TRACE_COUNT_MAX } from './limits.ts'
import { createRequestTraces } from './request-traces.ts'

test('a process knows the traces of its newest requests', () => {
  const traces = createRequestTraces()
  expect(traces.of('r')).toBeUndefined()
  for (let number = 0; number <= REMEMBERED_TRACE_COUNT_MAX; number++) traces.remember(`r${number}`, { traceId: `t${number}` })
  expect([traces.of('r0'), traces.of('r1'), traces.of(`r${REMEMBERED_TRACE_COUNT_MAX}`)]).toEqual([
    undefined,
    { traceId: 't1' },
    { traceId: `t${REMEMBERED_TRACE_COUNT_MAX}` },
  ])
  traces.remember('r1', { globalRequestId: 'another' })
  expect(traces.of('r1')).toEqual({ globalRequestId: 'another' })
})
