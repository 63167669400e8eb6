import { expect, jest, test } from '@jest/globals'
import { OperatingError } from '@switchyard/kernel'
import { systemTimers } from '@switchyard/runtime'
import { VIEW_MAX_MS } from './limits.ts'
import { createWorld, submission } from './sample-dispatcher.fixture.ts'

test('who submitted an event, or asked for its attempts, while the read store was away got no answer until it was back', async () => {
  const world = await createWorld()
  const after = (delayMs: number, run: () => void) => systemTimers.after(delayMs === VIEW_MAX_MS ? 1 : delayMs, run)
  const { operations, end } = await world.start(undefined, { ...systemTimers, after })
  const away = jest.spyOn(world.store, 'getMany')
  away.mockRejectedValue(new OperatingError('STORE_UNAVAILABLE', 'no server', { retryable: true }))
  const unavailable = { code: 'STORE_UNAVAILABLE', retryable: true }
  await expect(operations.submit(submission())).rejects.toMatchObject(unavailable)
  await expect(operations.attempts({ merchantId: 'm1', eventId: 'evt_1', limit: 10, offset: 0 })).rejects.toMatchObject(unavailable)
  away.mockRestore()
  await end()
})
