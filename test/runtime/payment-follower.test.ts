import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import type { EventLog, LogRecord, SubscribeOptions } from '@switchyard/kernel'
import { createMemoryLog } from '@switchyard/log-memory'
import { createPaymentFollower } from '@switchyard/runtime'
import { throwing } from './support/projectors.ts'
import { codec, outcome, recordOf } from './support/sample.ts'
import { createSampleFold } from './support/sample-payments.ts'
import { createStore } from './support/world.ts'

/** How many events each turn of the event loop folded, of a batch that came at once. */
const foldedByTurn = async (count: number): Promise<readonly number[]> => {
  let handle: SubscribeOptions['handle'] = () => {}
  const log: EventLog = {
    ...createMemoryLog({ partitionCount: 1 }),
    subscribe: (options) => {
      handle = options.handle
      return { stop: async () => {} }
    },
  }
  const fold = createSampleFold(0)
  const turns = [0]
  const counting = {
    ...fold,
    apply: (event: Parameters<typeof fold.apply>[0]) => {
      turns.push((turns.pop() ?? 0) + 1)
      return fold.apply(event)
    },
  }
  const follower = createPaymentFollower({ log, store: createStore(), codec, fold: counting, onFailure: throwing })
  await follower.start()
  const records = Array.from({ length: count }, (_, offset): LogRecord => {
    return { ...recordOf(outcome('m_1', `p_${offset}`, 'r_1'), `e_${offset}`), position: { partition: 0, offset } }
  })
  let isOver = false
  const all = Promise.resolve(handle(records)).then(() => {
    isOver = true
  })
  while (!isOver) {
    turns.push(0)
    await nextTurn()
  }
  await all
  await follower.stop()
  return turns.filter((folded) => folded > 0)
}

test.each([
  [20, [20]],
  [100, [32, 32, 32, 4]],
  [800, [200, 200, 200, 200]],
  [2_000, [256, 256, 256, 256, 256, 256, 256, 208]],
])('a fold keeps up: of %i events that came together each turn takes its part', async (count, turns) => {
  expect(await foldedByTurn(count)).toEqual(turns)
})
