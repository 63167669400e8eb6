import { setTimeout as sleep } from 'node:timers/promises'
import type { LogRecord, Positions, Subscription, Topic } from '@switchyard/kernel'
import type { Consumer } from 'kafkajs'
import { type Attempts, persist } from './attempts.ts'
import { createClient } from './client.ts'
import { failureOf, kindOf } from './failures.ts'
import { GROUP_HEARTBEAT_MS, GROUP_SESSION_MS, METADATA_AGE_MAX_MS, RETRY_FIRST_MS, RETRY_MAX_MS } from './limits.ts'
import type { KafkaLogOptions } from './options.ts'

/** What a member of a group reads, and what it does with it. */
export interface GroupOptions {
  readonly topic: Topic
  /** `<service>.<projection name>`; never renamed. */
  readonly group: string
  /**
   * Where to go on in partitions that this member was given just now: another one may have moved on in them. Called with none when
   * it has lost those it had, before another one goes on: what was read has been handled, and can be stored.
   */
  readonly from: (partitions: readonly number[]) => Promise<Positions>
  /** As in `subscribe`; while partitions change hands two members may have the same records: effects are conditional (law 7). */
  readonly handle: (records: readonly LogRecord[]) => Promise<void> | void
  /** As in `subscribe`. */
  readonly onFailure: (error: unknown) => void
}

/** A member of a group. */
export interface Member extends Subscription {
  /** Notes with the group that a partition is read up to this offset, inclusive; rejects as the driver does. */
  readonly commit: (partition: number, offset: number) => Promise<void>
}

/** What {@link startMember} needs. */
export interface MemberDependencies {
  readonly options: KafkaLogOptions
  /** Name of the topic in the cluster. */
  readonly name: string
  readonly topicMissingMaxMs: number
  /** How long leaving waits for the brokers, milliseconds. */
  readonly leaveMaxMs: number
  /** Tails these partitions. */
  readonly tail: (partitions: readonly number[], from: Positions, onFailure: (error: unknown) => void) => Subscription
}

const consumerOf = (options: KafkaLogOptions, groupId: string): { readonly consumer: Consumer; readonly cut: () => void } => {
  const { kafka, cut, reconnect } = createClient(options, 'read', {
    initialRetryTime: RETRY_FIRST_MS,
    maxRetryTime: RETRY_MAX_MS,
    retries: 0,
  })
  const consumer = kafka.consumer({
    groupId,
    allowAutoTopicCreation: false,
    readUncommitted: true,
    metadataMaxAge: METADATA_AGE_MAX_MS,
    sessionTimeout: GROUP_SESSION_MS,
    rebalanceTimeout: GROUP_SESSION_MS,
    // The driver sends one behind each round of fetches that were empty, and with all partitions paused a round is a pause. How long
    // ago the last one was it tells by the clock of the day, and where that was set back, it would fall silent for hours.
    heartbeatInterval: Number.NEGATIVE_INFINITY,
    maxWaitTimeInMs: GROUP_HEARTBEAT_MS,
    // A member comes back by itself, whatever the driver takes for the end.
    retry: { initialRetryTime: RETRY_FIRST_MS, maxRetryTime: RETRY_MAX_MS, retries: 0, restartOnFailure: async () => true },
  })
  consumer.on(consumer.events.REQUEST_TIMEOUT, reconnect)
  return { consumer, cut }
}

const enterGroup = async (consumer: Consumer, name: string, attempts: Attempts): Promise<void> => {
  await persist(async () => {
    await consumer.connect()
    await consumer.subscribe({ topics: [name], fromBeginning: false })
  }, attempts)
  await consumer.run({ autoCommit: false, eachBatchAutoResolve: false, eachBatch: async () => {} })
}

/** The tail of the partitions that a member has; one change after the other: what was read before has ended when something else begins. */
const createOwnTail = (
  tailOf: (partitions: readonly number[]) => Promise<Subscription | undefined>,
  fail: (error: unknown) => void,
): { readonly change: (partitions: readonly number[]) => void; readonly end: () => Promise<void> } => {
  let current: Subscription | undefined
  let turn: Promise<void> = Promise.resolve()
  return {
    change: (partitions) => {
      turn = turn.then(async () => {
        await current?.stop()
        current = undefined
        current = await tailOf(partitions)
      })
      turn.catch(fail)
    },
    end: async () => {
      await turn.catch(() => {})
      await current?.stop()
    },
  }
}

/**
 * Joins a group, and tails the partitions that it gives. The driver's consumer agrees with the others who reads what, and
 * fetches nothing: a slow handler so never costs the membership, and positions stay where the read models are.
 */
export const startMember = (
  dependencies: MemberDependencies,
  { group, from, onFailure }: Omit<GroupOptions, 'topic' | 'handle'>,
): Member => {
  const { options, name, topicMissingMaxMs, leaveMaxMs, tail } = dependencies
  const { consumer, cut } = consumerOf(options, group)
  const ending = new AbortController()
  const attempts = { forMs: Number.POSITIVE_INFINITY, topicMissingMaxMs, signal: ending.signal }
  let isOver = false

  const fail = (error: unknown): void => {
    if (isOver) return
    isOver = true
    onFailure(error)
    void leave()
  }

  const own = createOwnTail(async (partitions) => {
    if (isOver) return undefined
    const positions = await from(partitions)
    return partitions.length > 0 ? tail(partitions, positions, fail) : undefined
  }, fail)

  const leave = async (): Promise<void> => {
    isOver = true
    ending.abort()
    await own.end()
    // Brokers that are silent: each question to them would be waited for.
    const late = setTimeout(cut, leaveMaxMs)
    await joined
    await consumer.disconnect().catch(() => {})
    clearTimeout(late)
    cut()
  }

  const join = async (): Promise<void> => {
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
      consumer.pause([{ topic: name }])
      own.change(payload.memberAssignment[name] ?? [])
    })
    consumer.on(consumer.events.REBALANCING, () => own.change([]))
    // What the driver does not take for passing (a coordinator that is just being made, for one) ends its consumer without a word.
    consumer.on(consumer.events.CRASH, ({ payload: { error, restart } }) => {
      if (!restart && !isOver) joined = joinAgain(error).catch(failed)
    })
    await enter()
  }

  const enter = (): Promise<void> => enterGroup(consumer, name, attempts)

  const joinAgain = async (error: unknown): Promise<void> => {
    if (kindOf(error) !== 'transient') throw error
    own.change([])
    await sleep(RETRY_MAX_MS, undefined, { signal: ending.signal }).catch(() => {})
    if (!isOver) await enter()
  }

  const failed = (error: unknown): void => fail(failureOf(error, `group ${group}`))
  let joined = join().catch(failed)
  let left: Promise<void> | undefined
  return {
    commit: async (partition, offset) => await consumer.commitOffsets([{ topic: name, partition, offset: String(offset + 1) }]),
    stop: async () => {
      left ??= leave()
      await left
    },
  }
}
