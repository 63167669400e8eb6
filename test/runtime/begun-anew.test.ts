import { expect, test } from '@jest/globals'
import type { EventLog } from '@switchyard/kernel'
import { createMemoryLog } from '@switchyard/log-memory'
import { createCommandHandler } from '@switchyard/runtime'
import { codec, commutingSlice, idsOf, listSlice, merchantSlice, recordOf } from './support/sample.ts'
import { createStore, startCommandSide } from './support/world.ts'

const registered = (merchantId: string) =>
  recordOf({ type: 'MerchantRegistered', data: { merchantId, name: null, deciderInput: null, at: 1 } }, 'again')

test.each([
  ['on a version', listSlice],
  ['without one', commutingSlice],
])('what is decided %s for a key that has begun anew since the command came is for the admin only', async (_name, slice) => {
  const log = createMemoryLog()
  const beginsAnew: EventLog = {
    ...log,
    endPosition: async (topic, key) => {
      await log.append(topic, [registered(key)])
      return await log.endPosition(topic, key)
    },
  }
  const lives = { ...merchantSlice, name: 'sample-lives', initialState: 0, evolve: (count: number) => count + 1 }
  const { states } = await startCommandSide('left', beginsAnew, createStore(), [lives, slice])
  const handle = createCommandHandler({ log, codec, states, newId: idsOf('x'), lifeOf: (key) => states.stateOf(lives, key) })
  const command = { merchantId: 'm_1', features: ['a'] }
  const asked = (actor: string) => handle(slice, { key: 'm_1', command, origin: { actor, requestId: 'r_1' } })
  expect(await asked('key:k_1')).toEqual({ accepted: false, rejection: { code: 'CONFLICT' } })
  expect(await asked('admin')).toMatchObject({ accepted: true, state: ['a@0'] })
  await states.stop()
})
