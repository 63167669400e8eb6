import { expect, test } from '@jest/globals'
import type { IngestionCommand } from '@switchyard/costs'
import { createManualTimers, turn } from '@switchyard/testing'
import { HEARTBEAT_MS, PROGRESS_PAUSE_MS } from '../limits.ts'
import { keepLease } from './lease.ts'

const PLACE = { merchantId: 'm1', life: 1, ingestionId: 'i1' }

test('a claim is renewed also when the clock was set back', async () => {
  let nowMs = 10_000_000
  const told: IngestionCommand[] = []
  const journal = {
    decide: async (_place: unknown, command: IngestionCommand) => {
      told.push(command)
      return { accepted: true } as never
    },
  }
  const timers = createManualTimers()
  const lease = keepLease({ journal, now: () => nowMs }, PLACE, 'c1', timers)
  nowMs -= 2 * 3_600_000
  for (let passedMs = 0; passedMs < HEARTBEAT_MS; passedMs += PROGRESS_PAUSE_MS) {
    await turn()
    timers.advance(PROGRESS_PAUSE_MS)
  }
  await turn()
  await lease.stop()
  expect(told).toEqual([{ type: 'AdvanceIngestion', claimId: 'c1', rowCount: 0, at: nowMs }])
})
