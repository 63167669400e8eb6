import type { CollectionSpec, DocumentProjection } from '@switchyard/kernel'
import { isSuccess } from '../chains/chain.ts'
import type { RecordedWebhook } from '../recorded-webhook.ts'

const NAME = 'webhook-recoveries-v1'

/** Recoveries that run, by their merchant. */
export const RUNNING_INDEX = 'running'

/** The collection of {@link webhookRecoveries}. */
export const webhookRecoveriesCollection: CollectionSpec = {
  name: NAME,
  indexes: [{ name: RUNNING_INDEX, fields: ['runningOf', 'startedAt'] }],
}

/** Sending the events of a time span again (webhooks.md 9.4); times are epoch milliseconds. */
export interface Recovery {
  readonly merchantId: string
  readonly taskId: string
  readonly status: 'absent' | 'running' | 'completed'
  readonly sinceAt: number
  readonly untilAt: number
  /** Null: all. */
  readonly profileId: string | null
  /** Empty: all. */
  readonly eventTypes: readonly string[]
  readonly onlyUndelivered: boolean
  readonly matchedCount: number
  readonly attemptedCount: number
  readonly deliveredCount: number
  readonly startedAt: number
  readonly finishedAt: number | null
  /** Declared index: the merchant, while it runs. */
  readonly runningOf?: string
  /** While it runs: where its beginning stands in the merchant's partition. Of two that processes began at once the first one runs. */
  readonly startedOffset?: number
}

const absent = (merchantId: string, taskId: string): Recovery => ({
  merchantId,
  taskId,
  status: 'absent',
  sinceAt: 0,
  untilAt: 0,
  profileId: null,
  eventTypes: [],
  onlyUndelivered: true,
  matchedCount: 0,
  attemptedCount: 0,
  deliveredCount: 0,
  startedAt: 0,
  finishedAt: null,
})

const taskOf = ({ event }: RecordedWebhook): string | null => {
  switch (event.type) {
    case 'RecoveryStarted':
    case 'RecoveryFinished':
    case 'DeliveryAttemptFinished':
      return event.data.taskId
    default:
      return null
  }
}

/** Recoveries, key `[merchantId, taskId]`. */
export const webhookRecoveries: DocumentProjection<Recovery, RecordedWebhook> = {
  name: NAME,
  keysOf: (recorded) => {
    const taskId = taskOf(recorded)
    return taskId === null ? [] : [[recorded.event.data.merchantId, taskId]]
  },
  initialView: ([merchantId, taskId]) => absent(String(merchantId), String(taskId)),
  project: (view, { event, position }) => {
    switch (event.type) {
      case 'RecoveryStarted': {
        const { at, ...data } = event.data
        return { ...view, ...data, status: 'running', startedAt: at, runningOf: data.merchantId, startedOffset: position.offset }
      }
      case 'RecoveryFinished': {
        // A process that started meanwhile carries it out beside the one that began it, and comes to the end later.
        if (view.status === 'completed') return view
        const { runningOf: _runningOf, startedOffset: _startedOffset, ...rest } = view
        return { ...rest, status: 'completed', finishedAt: event.data.at }
      }
      case 'DeliveryAttemptFinished': {
        const deliveredCount = view.deliveredCount + (isSuccess(event.data.statusCode) ? 1 : 0)
        return { ...view, attemptedCount: view.attemptedCount + 1, deliveredCount }
      }
      default:
        return view
    }
  },
}
