import { expect, test } from '@jest/globals'
import { TOPICS } from '@switchyard/kernel'
import { createPartitionEnds } from './partition-ends.ts'

test.each(TOPICS)('behind a commit that may or may not have happened, the store is asked again where %s ends', (topic) => {
  const ends = createPartitionEnds({ lastOffset: () => 4 })
  ends.moveTo(topic, 0, 9)
  expect(ends.of(topic, 0)).toBe(9)
  ends.forget()
  expect(ends.of(topic, 0)).toBe(4)
})
