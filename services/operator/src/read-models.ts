import { minutesKept } from '@switchyard/analytics'
import { configProjections, costProjections, domainSlices, paymentProjections, webhookProjections } from '@switchyard/composition'
import { createEventCodec, type SwitchyardEvent } from '@switchyard/events'
import {
  assertNever,
  type EventLog,
  type Now,
  type Positions,
  type ReadStore,
  type SchemaIds,
  TOPICS,
  type Topic,
} from '@switchyard/kernel'
import { createPaymentFold } from '@switchyard/routing'
import {
  CHECKPOINTS_COLLECTION,
  createConfigTopicFold,
  createDocumentTopicFold,
  createPaymentTopicFold,
  createReplayRun,
  decodeConfigEvent,
  decodeCostsEvent,
  decodePaymentsEvent,
  decodeWebhooksEvent,
  documentPositions,
  fingerprintOf,
  type ReplayRun,
  SNAPSHOTS_COLLECTION,
  STREAM_STATES_COLLECTION,
  streamPositions,
} from '@switchyard/runtime'
import { FORGETTING_COLLECTIONS, isForgotten } from '@switchyard/webhooks'
import { misused } from './command-line.ts'

/** What is kept of one topic: it is folded in one pass, so it is rebuilt in one. */
export interface ReadModels {
  readonly topic: Topic
  /** Collections of documents that a replay gives again to the letter, and the beginning of their keys that is this release's. */
  readonly documents: readonly {
    readonly collection: string
    readonly beginning: readonly string[]
    /** Whether a document that a replay gives was forgotten by `now`, epoch milliseconds; absent: they stay. */
    readonly isForgotten?: (body: object, now: number) => boolean
  }[]
  /** All that a generation holds. */
  readonly collections: readonly string[]
}

const CONFIG_DOCUMENTS: readonly string[] = configProjections.map(({ name }) => name)
const PAYMENT_DOCUMENTS: readonly string[] = paymentProjections.map(({ name }) => name)

const WEBHOOK_DOCUMENTS: readonly string[] = webhookProjections.map(({ name }) => name)
const COST_DOCUMENTS: readonly string[] = costProjections.map(({ name }) => name)

/** Whether figures of a period are no longer to be expected at `now`. */
const isForgottenMinute = (document: object, now: number): boolean =>
  'minuteMs' in document && Number(document.minuteMs) <= now - minutesKept.ageMsMax

/** The read models of each topic. */
export const READ_MODELS: Readonly<Record<Topic, ReadModels>> = {
  config: {
    topic: 'config',
    documents: [
      { collection: STREAM_STATES_COLLECTION, beginning: [fingerprintOf(domainSlices)] },
      ...CONFIG_DOCUMENTS.map((collection) => ({ collection, beginning: [] })),
    ],
    collections: [STREAM_STATES_COLLECTION, ...CONFIG_DOCUMENTS, CHECKPOINTS_COLLECTION],
  },
  payments: {
    topic: 'payments',
    documents: PAYMENT_DOCUMENTS.map((collection) => ({
      collection,
      beginning: [],
      ...(minutesKept.collections.includes(collection) && { isForgotten: isForgottenMinute }),
    })),
    collections: [...PAYMENT_DOCUMENTS, SNAPSHOTS_COLLECTION, CHECKPOINTS_COLLECTION],
  },
  webhooks: {
    topic: 'webhooks',
    documents: WEBHOOK_DOCUMENTS.map((collection) => ({
      collection,
      beginning: [],
      ...(FORGETTING_COLLECTIONS.includes(collection) && { isForgotten }),
    })),
    collections: [...WEBHOOK_DOCUMENTS, CHECKPOINTS_COLLECTION],
  },
  costs: {
    topic: 'costs',
    documents: COST_DOCUMENTS.map((collection) => ({ collection, beginning: [] })),
    collections: [...COST_DOCUMENTS, CHECKPOINTS_COLLECTION],
  },
}

/**
 * The read models that a projection belongs to: the name of a topic, or of one of its collections, whose documents are then
 * all that is compared. Throws `SETTING_INVALID` that lists the names.
 */
export const readModelsOf = (projection: string): ReadModels => {
  for (const topic of TOPICS) {
    const models = READ_MODELS[topic]
    if (projection === topic) return models
    const documents = models.documents.filter(({ collection }) => collection === projection)
    if (documents.length > 0) return { ...models, documents }
  }
  const names = TOPICS.flatMap((topic) => [topic, ...READ_MODELS[topic].documents.map(({ collection }) => collection)])
  throw misused(`${projection} is no projection; there are ${names.join(', ')}`)
}

/** How far the read models in this store reach; undefined when they were never stored. */
export const storedPositionsOf = async ({ topic }: ReadModels, store: ReadStore): Promise<Positions | undefined> => {
  switch (topic) {
    case 'config':
      return await streamPositions(store, domainSlices)
    case 'payments':
      return await documentPositions(store, topic, PAYMENT_DOCUMENTS)
    case 'webhooks':
      return await documentPositions(store, topic, WEBHOOK_DOCUMENTS)
    case 'costs':
      return await documentPositions(store, topic, COST_DOCUMENTS)
    default:
      return assertNever(topic)
  }
}

/** What a replay works with. */
export interface ReplayParts {
  readonly log: Pick<EventLog, 'read'>
  readonly schemaIds: SchemaIds
  readonly now: Now
}

/** A replay of the topic into this store, with a fold of its own. */
export const replayInto = ({ topic }: ReadModels, store: ReadStore, { log, schemaIds, now }: ReplayParts): ReplayRun => {
  const codec = createEventCodec(schemaIds, { strict: false })
  const shared = { log, store, now }
  switch (topic) {
    case 'config': {
      const fold = createConfigTopicFold({ store, codec, slices: domainSlices })
      return createReplayRun({ ...shared, topic, fold, projections: configProjections })
    }
    case 'payments': {
      const fold = createPaymentTopicFold({ store, codec, fold: createPaymentFold() })
      return createReplayRun({ ...shared, topic, fold, projections: paymentProjections })
    }
    case 'webhooks': {
      const fold = createDocumentTopicFold({ topic, store, decode: (value) => decodeWebhooksEvent(codec, value), names: WEBHOOK_DOCUMENTS })
      return createReplayRun({ ...shared, topic, fold, projections: webhookProjections })
    }
    case 'costs': {
      const fold = createDocumentTopicFold({ topic, store, decode: (value) => decodeCostsEvent(codec, value), names: COST_DOCUMENTS })
      return createReplayRun({ ...shared, topic, fold, projections: costProjections })
    }
    default:
      return assertNever(topic)
  }
}

/** Reads the bytes of a record of this topic; throws `RECORD_UNREADABLE` or `SCHEMA_UNKNOWN`. */
export const decoderOf = (topic: Topic, schemaIds: SchemaIds): ((bytes: Uint8Array) => SwitchyardEvent) => {
  const codec = createEventCodec(schemaIds, { strict: false })
  switch (topic) {
    case 'config':
      return (bytes) => decodeConfigEvent(codec, bytes)
    case 'payments':
      return (bytes) => decodePaymentsEvent(codec, bytes)
    case 'webhooks':
      return (bytes) => decodeWebhooksEvent(codec, bytes)
    case 'costs':
      return (bytes) => decodeCostsEvent(codec, bytes)
    default:
      return assertNever(topic)
  }
}
