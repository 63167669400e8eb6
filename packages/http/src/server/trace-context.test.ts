import { describe, expect, test } from '@jest/globals'
import { correlationOf, requestTraceOf } from './trace-context.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'
const W3C = `00-${TRACE}-${PARENT}-01`

describe('trace context', () => {
  test.each([
    [{ traceparent: W3C }, TRACE],
    [{ traceparent: W3C, 'x-trace-id': 't-1' }, TRACE],
    [{ traceparent: `${W3C}-more`, 'x-trace-id': 't-1' }, 't-1'],
    [{ traceparent: `00-${TRACE.slice(1)}-${PARENT}-01`, 'x-trace-id': ' t-1 ' }, 't-1'],
    [{ 'x-trace-id': '', 'x-b3-traceid': 'b3' }, 'b3'],
    [{ 'x-trace-id': 'two\tparts' }, undefined],
    [{ 'x-trace-id': 'x'.repeat(65) }, undefined],
    [{}, undefined],
  ])('the id of %j is %s', (headers, id) => {
    expect(correlationOf(headers).traceId).toBe(id)
  })

  test.each([
    `ff-${TRACE}-${PARENT}-01`,
    `00-${'0'.repeat(32)}-${PARENT}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${PARENT}-01`,
    `00-${TRACE}-${PARENT}-01-extra`,
    `00-${TRACE}-${PARENT}-01\n`,
    '',
  ])('%j is no trace that goes on in events', (traceparent) => {
    expect(requestTraceOf({ traceparent })?.trace).toBeUndefined()
  })

  test('a valid one does, and the log names it with the global id of the request', () => {
    expect(requestTraceOf({ traceparent: W3C, 'x-b3-traceid': 'b3' })).toEqual({ trace: W3C })
    expect(requestTraceOf({ 'x-trace-id': 't-1', 'x-global-request-id': 'g-1' })).toEqual({ traceId: 't-1', globalRequestId: 'g-1' })
    expect(requestTraceOf({ traceparent: 'not a trace', 'x-global-request-id': ' ' })).toBeUndefined()
    expect(correlationOf({ traceparent: W3C, 'x-global-request-id': ' g-1 ' })).toEqual({ traceId: TRACE, globalRequestId: 'g-1' })
    expect(correlationOf({})).toEqual({})
  })
})
