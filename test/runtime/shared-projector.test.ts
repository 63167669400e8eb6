import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from '@jest/globals'
import type { EventLog, Subscription } from '@switchyard/kernel'
import { createMemoryLog } from '@switchyard/log-memory'
import { changeGenerations, inGeneration, type ShareTopic } from '@switchyard/runtime'
import { pay, projected, projectorOver, straight } from './support/projectors.ts'
import { createStore } from './support/world.ts'

const PARTITIONS = [0, 1, 2]

/** A member of a group whose partitions the test hands out; positions and records are those of the log. */
const createMember = (
  log: EventLog,
): {
  readonly share: ShareTopic
  readonly give: (partitions: readonly number[]) => Promise<void>
  readonly joinCount: () => number
} => {
  const joined = new Set<Parameters<ShareTopic>[0]>()
  let joinCount = 0
  let tails: readonly Subscription[] = []
  const stopAll = async (): Promise<void> => {
    for (const tail of tails) await tail.stop()
    tails = []
  }
  return {
    share: (options) => {
      joined.add(options)
      joinCount += 1
      const stop = async (): Promise<void> => {
        joined.delete(options)
        await stopAll()
      }
      return { stop }
    },
    give: async (partitions) => {
      await stopAll()
      const own = new Set(partitions)
      for (const { topic, from, handle, onFailure } of joined) {
        const positions = await from(partitions)
        const ofOwn: Parameters<EventLog['subscribe']>[0]['handle'] = async (records) => {
          const [first] = records
          if (first !== undefined && own.has(first.position.partition)) await handle(records)
        }
        tails = [...tails, log.subscribe({ topic, from: positions, handle: ofOwn, onFailure })]
      }
    },
    joinCount: () => joinCount,
  }
}

describe('projectors that share the partitions', () => {
  test('hand them to and fro, and the documents are those of one straight replay', async () => {
    const log = createMemoryLog({ partitionCount: PARTITIONS.length })
    const store = createStore()
    const members = [createMember(log), createMember(log)]
    const projectors = members.map(({ share }) => projectorOver(log, store, { share }))
    await Promise.all(projectors.map((projector) => projector.start()))
    const splits: readonly (readonly (readonly number[])[])[] = [
      [PARTITIONS, []],
      [[0], [1, 2]],
      [[2], [0, 1]],
      [[], PARTITIONS],
      [[1, 2], [0]],
    ]
    let payments = 0
    for (const split of splits) {
      // Who loses partitions stores what it folded of them before somebody else goes on.
      for (const member of members) await member.give([])
      await pay(log, payments, 17)
      for (const [index, member] of members.entries()) await member.give(split[index] ?? [])
      await pay(log, payments + 17, 17)
      payments += 34
      await Promise.all(projectors.map((projector) => projector.caughtUp()))
    }
    await Promise.all(projectors.map((projector) => projector.stop()))
    expect(await projected(store)).toEqual(await straight(log))
  })

  test('one that was thrown out and does not know it yet can not take anything back', async () => {
    const log = createMemoryLog({ partitionCount: PARTITIONS.length })
    const store = createStore()
    const [slow, next] = [createMember(log), createMember(log)]
    const projectors = [slow, next].map(({ share }) => projectorOver(log, store, { share }))
    await Promise.all(projectors.map((projector) => projector.start()))
    await slow.give(PARTITIONS)
    await pay(log, 0, 20)
    await next.give(PARTITIONS)
    await pay(log, 20, 20)
    await Promise.all(projectors.map((projector) => projector.caughtUp()))
    await Promise.all(projectors.map((projector) => projector.stop()))
    expect(await projected(store)).toEqual(await straight(log))
  })

  test('leave the group and join it anew when another generation is current', async () => {
    const log = createMemoryLog({ partitionCount: PARTITIONS.length })
    const store = createStore()
    const member = createMember(log)
    const projector = projectorOver(log, store, { share: member.share })
    await projector.start()
    await member.give(PARTITIONS)
    await pay(log, 0, 20)
    await projector.caughtUp()
    await changeGenerations(store, 'payments', () => ({ current: 2, building: null, stored: [1, 2] }))
    // All three topics, then payments again.
    while (member.joinCount() < 4) await setTimeout(20)
    await member.give(PARTITIONS)
    await pay(log, 20, 20)
    await projector.caughtUp()
    await projector.stop()
    expect(await projected(inGeneration(store, () => 2))).toEqual(await straight(log))
  })

  test('lag and being caught up are those of the own partitions, and unknown before there are any', async () => {
    const log = createMemoryLog({ partitionCount: PARTITIONS.length })
    const member = createMember(log)
    const projector = projectorOver(log, createStore(), { share: member.share })
    await projector.start()
    await pay(log, 0, 12)
    expect((await projector.status())[1]).toMatchObject({ state: 'idle', lagCount: null })
    await expect(projector.caughtUp()).rejects.toMatchObject({ code: 'POSITION_NOT_REACHED' })
    await member.give([])
    expect((await projector.status())[1]).toMatchObject({ state: 'running', lagCount: 0 })
    await member.give(PARTITIONS)
    await projector.caughtUp()
    expect((await projector.status())[1]).toMatchObject({ state: 'running', lagCount: 0 })
    await projector.stop()
  })
})
