import { assert, type DeadRecord, type Inbox, type LogRecord, type Subscription } from '@switchyard/kernel'
import type { Part } from '@switchyard/runtime'
import { createTally } from './log-limits.ts'
import type { Metrics } from './metrics/metrics.ts'
import { startPatiently } from './patience.ts'
import type { Voices } from './surroundings.ts'

/** What {@link createInboxReceiver} needs. */
export interface InboxReceiverDependencies {
  /** Of the topic, for example `outcomes-inbound`. */
  readonly name: string
  /** What its records are, for a person: `reports`. */
  readonly nouns: string
  /** Rejects with a retryable failure while the servers are away. */
  readonly openInbox: () => Promise<Inbox>
  /** What to do with a batch, as `handle` of `ReceiveOptions`; waits for what is away until the signal is given. */
  readonly handlerUntil: (ending: AbortSignal) => (records: readonly LogRecord[]) => Promise<readonly DeadRecord[]>
  readonly voices: Pick<Voices, 'report' | 'onFailure'> & { readonly metrics: Pick<Metrics, 'watchInbox'> }
}

/** What a person is told of a record that was set aside. */
const reasonOf = ({ record: { position }, reason, message }: DeadRecord): Error =>
  new Error(`partition ${position.partition}, offset ${position.offset}: ${reason}: ${message}`)

/** Receives what others write into a topic, and tells of records that were set aside. */
export const createInboxReceiver = ({ name, nouns, openInbox, handlerUntil, voices }: InboxReceiverDependencies): Part => {
  const { report, onFailure, metrics } = voices
  const ending = new AbortController()
  const dead = createTally((count, cause) => report.failed(`${count} ${nouns} of ${name} were set aside; the last one`, cause))
  const record = handlerUntil(ending.signal)
  let inbox: Inbox | undefined
  let subscription: Subscription | undefined

  const handle = async (records: readonly LogRecord[]): Promise<readonly DeadRecord[]> => {
    const setAside = await record(records)
    const last = setAside.at(-1)
    if (last !== undefined) dead.add(setAside.length, reasonOf(last))
    return setAside
  }

  return {
    name,
    start: async (signal) => {
      assert(inbox === undefined, 'a part is started once')
      inbox = await startPatiently({ what: `the topic ${name}`, start: openInbox, report, signal })
      metrics.watchInbox(name, inbox.lagCount)
      subscription = inbox.receive({
        handle,
        onMissed: ({ partition, count }) =>
          report.failed(`${count} ${nouns} of ${name}, partition ${partition}, were deleted before they were read`, undefined),
        onFailure,
      })
    },
    stop: async () => {
      const stopped = subscription?.stop()
      ending.abort()
      await stopped
      inbox?.close()
      dead.flush()
    },
  }
}
