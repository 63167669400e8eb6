import { BroadcastChannel } from 'node:worker_threads'
import { TOPICS, type Topic } from '@switchyard/kernel'
import { NOTICE_DELAY_MS } from './limits.ts'

/** Tells every tail of the log, in all threads of the process, that there may be something new in its topic. */
export interface Notices {
  /** At once in this thread; in the others within {@link NOTICE_DELAY_MS}, because waking a thread costs as much as a commit. */
  readonly announce: (topic: Topic) => void
  /** Counts the notices; what was read at one count may be outdated at the next. */
  readonly count: (topic: Topic) => number
  /** Resolves at the next notice after the count was `seen`. */
  readonly after: (topic: Topic, seen: number) => Promise<void>
  /** Wakes the tails of this thread only. */
  readonly wake: (topic: Topic) => void
  readonly close: () => void
}

/** The notices of one topic in one thread. */
interface Bell {
  count: number
  waiting: (() => void)[]
}

/** Notices of the log in this folder. They keep no process alive. */
export const openNotices = (path: string): Notices => {
  const channel = new BroadcastChannel(`switchyard-log:${path}`)
  channel.unref()
  const silent = (): Bell => ({ count: 0, waiting: [] })
  const bells: Readonly<Record<Topic, Bell>> = { config: silent(), payments: silent(), webhooks: silent(), costs: silent() }
  const unsent = new Set<Topic>()
  let timer: NodeJS.Timeout | undefined

  const wake = (topic: Topic): void => {
    const bell = bells[topic]
    bell.count += 1
    const woken = bell.waiting
    bell.waiting = []
    for (const resume of woken) resume()
  }
  const send = (): void => {
    timer = undefined
    for (const topic of unsent) channel.postMessage(topic)
    unsent.clear()
  }
  channel.onmessage = (message) => {
    const { data }: { readonly data?: Topic } = Object(message)
    if (data !== undefined) wake(data)
  }

  return {
    announce: (topic) => {
      unsent.add(topic)
      timer ??= setTimeout(send, NOTICE_DELAY_MS).unref()
      wake(topic)
    },
    count: (topic) => bells[topic].count,
    after: async (topic, seen) => {
      const bell = bells[topic]
      if (bell.count === seen) await new Promise<void>((resolve) => bell.waiting.push(resolve))
    },
    wake,
    close: () => {
      clearTimeout(timer)
      send()
      channel.close()
      for (const topic of TOPICS) wake(topic)
    },
  }
}
