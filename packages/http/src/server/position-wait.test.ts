import { describe, expect, test } from '@jest/globals'
import { POSITION_HEADER_WAITS_MAX } from '../limits.ts'
import { createPositionGate, type PositionWait } from './position-wait.ts'
import { sampleSpec } from './sample-server.fixture.ts'

const headers = { 'x-min-log-position': 'config-0-9' }
const RETRIED = { 'retry-after': '1' }
const guarded = sampleSpec({ access: 'protected' })

describe('waiting for the position that a request names', () => {
  test('the wait is told which route it is for', async () => {
    const seen: unknown[] = []
    const gate = createPositionGate(async (token, spec) => {
      seen.push([token, spec.servedBy])
      return 'reached'
    })
    await gate(sampleSpec({ access: 'protected', servedBy: 'read-models' }), headers)
    expect(seen).toEqual([['config-0-9', 'read-models']])
  })

  test('a public route waits for nothing, so that nobody unknown holds a place', () => {
    const gate = createPositionGate(() => new Promise(() => {}))
    expect(gate(sampleSpec({ access: 'public' }), headers)).toBeUndefined()
  })

  test('beyond the budget of waits a request is refused, with when to come again, and served when one has ended', async () => {
    const ends: ((wait: PositionWait) => void)[] = []
    const gate = createPositionGate(() => new Promise((resolve) => ends.push(resolve)))
    const waiting = Array.from({ length: POSITION_HEADER_WAITS_MAX }, async () => await gate(guarded, headers))
    expect(await gate(guarded, headers)).toMatchObject({ status: 503, headers: RETRIED })
    for (const end of ends) end('reached')
    await Promise.all(waiting)
    const next = gate(guarded, headers)
    ends.at(-1)?.('not-reached')
    expect(await next).toMatchObject({ status: 503, headers: RETRIED, body: { message: expect.stringContaining('caught up') } })
  })
})
