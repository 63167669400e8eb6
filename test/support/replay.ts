import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { PaymentEffect } from '@switchyard/analytics'
import {
  configProjections,
  costProjections,
  domainCollections,
  domainSlices,
  paymentProjections,
  webhookProjections,
} from '@switchyard/composition'
import { createEventCodec, type EventCodec, publishedSchemaIds, type SwitchyardEvent } from '@switchyard/events'
import { type EventLog, type LogRecord, type ReadStore, type StoredDocument, TOPICS } from '@switchyard/kernel'
import { createEmbeddedLog } from '@switchyard/log-embedded'
import { createProjectorService } from '@switchyard/projector'
import { createPaymentFold, type PaymentFold } from '@switchyard/routing'
import { createDocumentTopicFold, createPaymentFollower, createProjector, decodeWebhooksEvent, type Projector } from '@switchyard/runtime'
import { createEmbeddedStore } from '@switchyard/store-embedded'
import { createMemoryStore } from '@switchyard/store-memory'

/** Of logs whose schema ids are those of the committed files. */
const publishedCodec = createEventCodec(publishedSchemaIds(), { strict: true })
/** Documents that are read at one time. */
const PAGE = 1_000

/** What a stopped server left behind, opened to be looked at. */
export interface LeftBehind {
  readonly log: EventLog
  readonly store: ReadStore
  readonly close: () => Promise<void>
}

export const openLeftBehind = (dataDir: string): LeftBehind => {
  const log = createEmbeddedLog({ folder: join(dataDir, 'log'), role: 'owner' })
  const store = createEmbeddedStore({ folder: join(dataDir, 'store'), collections: domainCollections, role: 'writer' })
  return {
    log,
    store,
    close: async () => {
      await store.close()
      await log.close()
    },
  }
}

export const allRecords = async (log: EventLog): Promise<readonly LogRecord[]> => {
  const records: LogRecord[] = []
  for (const topic of TOPICS) for await (const batch of log.read(topic, new Map())) records.push(...batch)
  return records
}

export const eventOf = (record: LogRecord): SwitchyardEvent => publishedCodec.decode(record.value)

const fail = (error: unknown): never => {
  throw error
}

/** Projects the topic `webhooks` as the dispatcher does. */
export const createWebhookProjector = ({
  log,
  store,
  codec = publishedCodec,
  now,
}: Pick<LeftBehind, 'log' | 'store'> & { readonly codec?: EventCodec; readonly now: () => number }): Projector =>
  createProjector({
    topic: 'webhooks',
    log,
    store,
    createFold: () =>
      createDocumentTopicFold({
        topic: 'webhooks',
        store,
        decode: (value) => decodeWebhooksEvent(codec, value),
        names: webhookProjections.map(({ name }) => name),
      }),
    projections: webhookProjections,
    now,
    onFailure: fail,
  })

/** The log, projected once more from its first event into a store of its own. */
export const projectAnew = async (
  log: EventLog,
  codec: EventCodec = publishedCodec,
): Promise<{ readonly store: ReadStore; readonly fold: PaymentFold }> => {
  const store = createMemoryStore({ collections: domainCollections })
  const fold = createPaymentFold()
  const projector = createProjectorService<PaymentEffect>({
    log,
    store,
    codec,
    now: () => 0,
    configSlices: domainSlices,
    configProjections,
    createPaymentFold: () => fold,
    paymentProjections,
    costProjections,
    onFailure: fail,
  })
  const webhooks = createWebhookProjector({ log, store, codec, now: () => 0 })
  for (const each of [projector, webhooks]) {
    await each.start()
    await each.caughtUp()
    await each.stop()
  }
  return { store, fold }
}

/** The windows as a restarted process restores them: from the stored snapshot, then from the log. */
export const restoredFold = async (
  { log, store }: Pick<LeftBehind, 'log' | 'store'>,
  codec: EventCodec = publishedCodec,
): Promise<PaymentFold> => {
  const fold = createPaymentFold()
  const follower = createPaymentFollower({ log, store, codec, fold, onFailure: fail })
  await follower.start()
  await follower.stop()
  return fold
}

export const allDocuments = async (store: ReadStore, collection: string): Promise<readonly StoredDocument<object>[]> => {
  const documents: StoredDocument<object>[] = []
  for (let offset = 0; ; offset += PAGE) {
    const page = await store.range<object>({ collection, prefix: [], order: 'ascending', offset, limit: PAGE })
    documents.push(...page)
    if (page.length < PAGE) return documents
  }
}

/** Every document of a collection, by its key. */
export const documentsOf = async (store: ReadStore, collection: string): Promise<ReadonlyMap<string, object>> =>
  new Map((await allDocuments(store, collection)).map(({ key, position, body }) => [JSON.stringify(key), { position, body }]))

/** The same data, whatever class made it. */
const plain = (document: object | undefined): unknown => structuredClone(document)

/** Of two stores, the keys of a collection whose documents differ or stand in one of them alone. Matchers take minutes for what is large. */
export const differingKeys = async (
  one: ReadStore,
  other: ReadStore,
  collection: string,
): Promise<{ readonly differing: readonly string[]; readonly count: number }> => {
  const [documents, others] = [await documentsOf(one, collection), await documentsOf(other, collection)]
  const keys = [...new Set([...documents.keys(), ...others.keys()])]
  return { differing: keys.filter((key) => !isDeepStrictEqual(plain(documents.get(key)), plain(others.get(key)))), count: keys.length }
}
