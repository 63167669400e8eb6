import { expect, test } from '@jest/globals'
import type { EventLog } from '@switchyard/kernel'
import { createMemoryLog } from '@switchyard/log-memory'
import { createCommandHandler } from '@switchyard/runtime'
import { codec, commutingSlice, idsOf, listSlice, merchantSlice, recordOf } from './support/sample.ts'
import { createStore, startCommandSide } from './support/world.ts'

const registered = (merchantId: string) =>
  recordOf({ type: 'MerchantRegistered', data: { merchantId, name: null, deciderInput: null, at: 1 } }, 'again')

/** Registers the merchant each time that somebody is about to read its state. */
const beginningAnew = (): EventLog => {
  const log = createMemoryLog()
  return {
    ...log,
    endPosition: async (topic, key) => {
      await log.append(topic, [registered(key)])
      return await log.endPosition(topic, key)
    },
  }
}

test.each([
  ['on a version', listSlice],
  ['without one', commutingSlice],
])('what is decided %s for a key that has begun anew since the command came is for the admin only', async (_name, slice) => {
  const log = beginningAnew()
  const lives = { ...merchantSlice, name: 'sample-lives', initialState: 0, evolve: (count: number) => count + 1 }
  const { states } = await startCommandSide('left', log, createStore(), [lives, slice])
  const handle = createCommandHandler({ log, codec, states, newId: idsOf('x'), lifeOf: (key) => states.stateOf(lives, key) })
  const asked = (actor: string, feature: string, told: { readonly life?: number } = {}) =>
    handle(slice, { key: 'm_1', command: { merchantId: 'm_1', features: [feature] }, origin: { actor, requestId: 'r_1' }, ...told })
  // It has begun elsewhere, and nothing had the key before.
  expect(await asked('key:k_1', 'a')).toMatchObject({ accepted: true })
  expect(await asked('key:k_1', 'b')).toEqual({ accepted: false, rejection: { code: 'CONFLICT' } })
  expect(await asked('admin', 'c')).toMatchObject({ accepted: true, state: [expect.stringContaining('a@'), expect.stringContaining('c@')] })
  // What tells its life holds what is of no other.
  expect(await asked('admin', 'd', { life: 3 })).toEqual({ accepted: false, rejection: { code: 'CONFLICT' } })
  expect(await asked('key:k_1', 'e', { life: 5 })).toMatchObject({ accepted: true })
  await states.stop()
})
