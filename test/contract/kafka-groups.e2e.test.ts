import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, jest, test } from '@jest/globals'
import type { LogRecord, Positions, Subscription } from '@switchyard/kernel'
import { type KafkaLog, openKafkaLog } from '@switchyard/log-kafka'
import { type KafkaLogUnderTest, openKafkaLogUnderTest } from '../support/kafka-log.ts'
import { describeWithServers } from '../support/real-servers.ts'
import { idsOf, recordOf } from './event-log/adapter.ts'

/** Longer than the session of a member, 10 s. */
const SESSION_LOST_MS = 12_000
const SET_BACK_MS = 2 * 3_600_000
const KEYS = Array.from({ length: 12 }, (_, number) => `m_${number}`)

let kafka: KafkaLogUnderTest | undefined

/** The read model that the members of a group share: records, each once, and how far they are. */
const createSharedModel = () => {
  const seen: LogRecord[] = []
  const positions = new Map<number, number>()
  const waiting: (() => void)[] = []
  const note = (): void => {
    for (const resume of waiting.splice(0)) resume()
  }
  return {
    seen,
    positions,
    apply: (records: readonly LogRecord[]): void => {
      for (const record of records) {
        const { partition, offset } = record.position
        if (offset <= (positions.get(partition) ?? -1)) continue
        positions.set(partition, offset)
        seen.push(record)
      }
      note()
    },
    note,
    until: async (condition: () => boolean): Promise<void> => {
      while (!condition()) await new Promise<void>((resolve) => waiting.push(resolve))
    },
  }
}

type SharedModel = ReturnType<typeof createSharedModel>

const join = (log: KafkaLog, group: string, model: SharedModel): { readonly member: Subscription; readonly has: Set<number> } => {
  const has = new Set<number>()
  const member = log.joinGroup({
    topic: 'payments',
    group,
    from: async (partitions): Promise<Positions> => {
      has.clear()
      for (const partition of partitions) has.add(partition)
      model.note()
      return new Map([...model.positions].filter(([partition]) => partitions.includes(partition)))
    },
    handle: model.apply,
    onFailure: (error) => {
      throw error
    },
  })
  return { member, has }
}

describeWithServers('groups of readers', () => {
  afterEach(async () => await kafka?.dispose())

  test('share the partitions, and the one that stays takes over from the one that leaves', async () => {
    kafka = await openKafkaLogUnderTest()
    const { log } = kafka
    const group = `${kafka.options.topicPrefix}.projection-v1`
    const model = createSharedModel()
    const first = join(log, group, model)
    await model.until(() => first.has.size === 3)
    const records = KEYS.map(recordOf)
    await log.append('payments', records)
    await model.until(() => model.seen.length === records.length)

    const second = join(await kafka.open(), group, model)
    await model.until(() => second.has.size > 0 && first.has.size + second.has.size === 3)
    expect([...first.has].filter((partition) => second.has.has(partition))).toEqual([])
    const shared = KEYS.map(recordOf)
    await log.append('payments', shared)
    await model.until(() => model.seen.length === records.length + shared.length)

    await second.member.stop()
    const alone = KEYS.map(recordOf)
    await log.append('payments', alone)
    await model.until(() => model.seen.length === records.length + shared.length + alone.length)
    await first.member.stop()
    expect(idsOf(model.seen).toSorted()).toEqual(idsOf([...records, ...shared, ...alone]).toSorted())
  })

  test('a member that lost its brokers for longer than its session comes back by itself', async () => {
    kafka = await openKafkaLogUnderTest()
    const { log, proxy, options } = kafka
    const throughProxy = await openKafkaLog({ ...options, reach: () => ({ host: '127.0.0.1', port: proxy.port }) })
    const model = createSharedModel()
    const { member, has } = join(throughProxy, `${options.topicPrefix}.projection-v1`, model)
    await model.until(() => has.size === 3)
    const before = KEYS.map(recordOf)
    await log.append('payments', before)
    await model.until(() => model.seen.length === before.length)

    proxy.set('refuse')
    await sleep(SESSION_LOST_MS)
    proxy.set('pass')
    const after = KEYS.map(recordOf)
    await log.append('payments', after)
    await model.until(() => model.seen.length === before.length + after.length)
    await member.stop()
    await throughProxy.close()
    expect(idsOf(model.seen).toSorted()).toEqual(idsOf([...before, ...after]).toSorted())
  }, 60_000)

  test('a member whose clock was set back by hours still hears that another one has left', async () => {
    kafka = await openKafkaLogUnderTest()
    const group = `${kafka.options.topicPrefix}.projection-v1`
    const model = createSharedModel()
    const first = join(kafka.log, group, model)
    await model.until(() => first.has.size === 3)
    const second = join(await kafka.open(), group, model)
    await model.until(() => second.has.size > 0 && first.has.size + second.has.size === 3)

    const { now } = Date
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() - SET_BACK_MS)
    try {
      await second.member.stop()
      await model.until(() => first.has.size === 3)
    } finally {
      clock.mockRestore()
    }
    await first.member.stop()
    expect([...first.has]).toEqual([0, 1, 2])
  }, 30_000)
})
