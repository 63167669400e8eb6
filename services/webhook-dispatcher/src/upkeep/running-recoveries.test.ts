import { expect, test } from '@jest/globals'
import { createStandstills } from './running-recoveries.ts'

const running = (taskId: string, attemptedCount: number) => ({ taskId, attemptedCount })

test('a recovery stands still when it has come no further between two looks', () => {
  const standing = createStandstills<ReturnType<typeof running>>()
  expect(standing([running('rec_1', 0), running('rec_2', 5)])).toEqual([])
  expect(standing([running('rec_1', 1), running('rec_2', 5), running('rec_3', 0)])).toEqual([running('rec_2', 5)])
  expect(standing([running('rec_1', 1)])).toEqual([running('rec_1', 1)])
  // Away in between: it was not seen to stand still.
  expect(standing([running('rec_2', 5)])).toEqual([])
})
