import { expect, test } from '@jest/globals'
import { createMemoryLog } from '@switchyard/log-memory'
import { createCommandHandler } from '@switchyard/runtime'
import { createManualTimers, until } from './support/manual-timers.ts'
import { codec, idsOf, listSlice } from './support/sample.ts'
import { createStore, startCommandSide } from './support/world.ts'

test('a command waits for the log within a bound, and what it sent may stand there later', async () => {
  const log = createMemoryLog()
  const { states } = await startCommandSide('left', log, createStore())
  const timers = createManualTimers()
  const handle = createCommandHandler({ log, codec, states, newId: idsOf('x'), timers })
  log.faults.hold()
  const command = { merchantId: 'm_1', features: ['a'] }
  const answer = handle(listSlice, { key: 'm_1', command, origin: { actor: 'admin', requestId: 'r_1' } }).catch((error: unknown) => error)
  await until('the wait for the log', () => timers.pendingCount() > 0)
  timers.advance(5_000)
  expect(await answer).toMatchObject({ code: 'LOG_UNAVAILABLE', retryable: true })
  log.faults.release()
  await log.append('config', [])
  expect([...(await log.endPositions('config')).values()].filter((offset) => offset >= 0)).toEqual([0])
  await states.stop()
})
