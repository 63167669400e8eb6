import { BroadcastChannel } from 'node:worker_threads'
import { TOPICS, type Topic } from '@switchyard/kernel'
import { NOTICE_DELAY_MS } from './limits.ts'

/** Tells every tail of the log, in all threads of the process that follow its topic, that there may be something new in a partition. */
export interface Notices {
  /** At once in this thread; in the others within {@link NOTICE_DELAY_MS}, because waking a thread costs as much as a commit. */
  readonly announce: (topic: Topic, partition: number) => void
  /** Tells the tails of this thread only. */
  readonly tell: (topic: Topic, partition: number) => void
  /** Hears of a topic from now on; before, its counts stand still. */
  readonly listen: (topic: Topic) => void
  /** Counts the notices; what was read at one count may be outdated at the next. */
  readonly count: (topic: Topic) => number
  /** Counts those of one partition. */
  readonly countIn: (topic: Topic, partition: number) => number
  /** Resolves at the next notice after the count was `seen`. */
  readonly after: (topic: Topic, seen: number) => Promise<void>
  /** Wakes the tails of this thread without anything new. */
  readonly wake: (topic: Topic) => void
  readonly close: () => void
}

/** The notices of one topic in one thread. */
interface Bell {
  /** Absent while nobody listens here and nothing was announced. */
  channel: BroadcastChannel | undefined
  count: number
  readonly counts: Map<number, number>
  waiting: (() => void)[]
  /** Partitions of which other threads have not been told. */
  readonly unsent: Set<number>
}

const createBell = (): Bell => ({ channel: undefined, count: 0, counts: new Map(), waiting: [], unsent: new Set() })

const ring = (bell: Bell): void => {
  bell.count += 1
  const woken = bell.waiting
  bell.waiting = []
  for (const resume of woken) resume()
}

const ringFor = (bell: Bell, partitions: Iterable<number>): void => {
  for (const partition of partitions) bell.counts.set(partition, (bell.counts.get(partition) ?? 0) + 1)
  ring(bell)
}

/** Notices of the log in this folder. They keep no process alive. */
export const openNotices = (path: string): Notices => {
  const bells: Readonly<Record<Topic, Bell>> = { config: createBell(), payments: createBell(), webhooks: createBell(), costs: createBell() }
  let timer: NodeJS.Timeout | undefined

  /** A channel for each topic: a thread is not woken for what it does not follow. */
  const channelOf = (topic: Topic): BroadcastChannel => {
    const bell = bells[topic]
    if (bell.channel !== undefined) return bell.channel
    const channel = new BroadcastChannel(`switchyard-log:${topic}:${path}`)
    channel.unref()
    channel.onmessage = (message) => {
      const { data }: { readonly data?: readonly number[] } = Object(message)
      if (data !== undefined) ringFor(bell, data)
    }
    bell.channel = channel
    return channel
  }
  const send = (): void => {
    timer = undefined
    for (const topic of TOPICS) {
      const { unsent } = bells[topic]
      if (unsent.size > 0) channelOf(topic).postMessage([...unsent])
      unsent.clear()
    }
  }

  return {
    announce: (topic, partition) => {
      const bell = bells[topic]
      bell.unsent.add(partition)
      timer ??= setTimeout(send, NOTICE_DELAY_MS).unref()
      ringFor(bell, [partition])
    },
    tell: (topic, partition) => ringFor(bells[topic], [partition]),
    listen: (topic) => void channelOf(topic),
    count: (topic) => bells[topic].count,
    countIn: (topic, partition) => bells[topic].counts.get(partition) ?? 0,
    after: async (topic, seen) => {
      const bell = bells[topic]
      if (bell.count === seen) await new Promise<void>((resolve) => bell.waiting.push(resolve))
    },
    wake: (topic) => ring(bells[topic]),
    close: () => {
      clearTimeout(timer)
      send()
      for (const topic of TOPICS) {
        bells[topic].channel?.close()
        ring(bells[topic])
      }
    },
  }
}
