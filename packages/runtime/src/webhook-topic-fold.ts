import type { EventCodec, WebhooksEvent } from '@switchyard/events'
import type { ReadStore } from '@switchyard/kernel'
import { decodeWebhooksEvent } from './decode-event.ts'
import { documentPositions } from './stored-positions.ts'
import type { TopicFold } from './topic-fold.ts'

/** What a record of the topic `webhooks` carries beside its event: the version that it was decided on, where that matters (law 5). */
export interface WebhookEffects {
  readonly expectedVersion: number | undefined
}

/** What {@link createWebhookTopicFold} needs. */
export interface WebhookTopicFoldDependencies {
  readonly store: ReadStore
  readonly codec: EventCodec
  /** Names of the projections. */
  readonly names: readonly string[]
}

/**
 * The topic `webhooks` keeps nothing in memory: each document holds all that decides what the next event does to it, its
 * version too, so that there may be any number of them.
 */
export const createWebhookTopicFold = (dependencies: WebhookTopicFoldDependencies): TopicFold<WebhooksEvent, WebhookEffects> => {
  const { store, codec, names } = dependencies
  return {
    restore: async (isWanted) => {
      const stored = await documentPositions(store, 'webhooks', names)
      return new Map([...(stored ?? [])].filter(([partition]) => isWanted(partition)))
    },
    decode: (value) => decodeWebhooksEvent(codec, value),
    apply: ({ headers: { expectedVersion } }) => ({ expectedVersion }),
  }
}
