import { isDeepStrictEqual } from 'node:util'
import { type FlowType, type PaymentTimeline, paymentTimelines } from '@switchyard/analytics'
import {
  configProjections,
  costProjections,
  domainCollections,
  domainSlices,
  paymentProjections,
  webhookProjections,
} from '@switchyard/composition'
import { createEventCodec, type EventCodec } from '@switchyard/events'
import { assert, type EventLog, includes, type Positions, type ReadStore, TOPICS, type Topic } from '@switchyard/kernel'
import { createPartitionOf, openKafkaLog } from '@switchyard/log-kafka'
import { createMemoryLog } from '@switchyard/log-memory'
import type { PaymentFold } from '@switchyard/routing'
import {
  CHECKPOINTS_COLLECTION,
  DEAD_LETTERS_COLLECTION,
  documentPositions,
  pinnedGeneration,
  SNAPSHOTS_COLLECTION,
  STREAM_STATES_COLLECTION,
  streamPositions,
} from '@switchyard/runtime'
import { learningLog, openRegistrySchemaIds } from '@switchyard/schema-ids-registry'
import { createMemoryStore } from '@switchyard/store-memory'
import { createMongoStore } from '@switchyard/store-mongo'
import { allDocuments, allRecords, differingKeys, documentsOf, type LeftBehind, projectAnew, restoredFold } from '../../support/replay.ts'
import type { Acknowledged } from '../load.ts'
import { eventsOf, inTheLog, notOnce } from './in-the-log.ts'
import { inTheCosts, reportsEnded } from './reports.ts'

/** Where the checker looks: the log and the read models of a cluster. */
export interface Places {
  readonly brokers: string
  readonly topicPrefix: string
  readonly schemaRegistryUrl: string
  readonly mongodbUri: string
  readonly partitionCount: number
}

/** Judges what a cluster made of what it acknowledged. */
export interface Checker {
  readonly log: EventLog
  readonly codec: EventCodec
  /**
   * Waits until the read models include everything that stands in the log (nothing is stuck, the lag is back to zero) and the reports
   * under way have ended; then what is wrong, in words: nothing when every acknowledged thing is there once and the read models
   * equal a replay.
   */
  readonly problems: (acknowledged: Acknowledged) => Promise<readonly string[]>
  readonly deadLetterCount: () => Promise<number>
  readonly close: () => Promise<void>
}

const OUTCOME_FLOW: FlowType = 'update_gateway_score_update'
const LAG_WAIT_MAX_MS = 60_000
const LAG_LOOK_PAUSE_MS = 100
const COPY_COUNT_MAX = 10

/** These say when a projector stored something, or hold bytes beside it: their truth is that of the documents. */
const NOT_COMPARED: ReadonlySet<string> = new Set([SNAPSHOTS_COLLECTION, CHECKPOINTS_COLLECTION, DEAD_LETTERS_COLLECTION])

const inTheTimelines = async (store: ReadStore, { outcomes }: Acknowledged): Promise<readonly string[]> => {
  const timelines = [...(await documentsOf(store, paymentTimelines.name)).values()]
  const told = timelines.flatMap((document) => {
    const { body } = document as { readonly body: PaymentTimeline }
    return body.entries.flatMap(({ flow }) => (flow === OUTCOME_FLOW ? [body.lookupKey] : []))
  })
  return notOnce('acknowledged outcomes do not stand in their timeline once', outcomes, told)
}

const namesOf = (projections: readonly { readonly name: string }[]): readonly string[] => projections.map(({ name }) => name)

/** What stands in the log and in the read models at one moment. */
type Moment = Pick<LeftBehind, 'log' | 'store'>

const copiedLog = async (log: EventLog, partitionCount: number): Promise<EventLog> => {
  const copy = createMemoryLog({ partitionCount, partitionOf: createPartitionOf(partitionCount) })
  for (const topic of TOPICS)
    for await (const records of log.read(topic, new Map())) {
      const copied = await copy.append(topic, records)
      const originals = records.map(({ position }) => position)
      assert(isDeepStrictEqual(copied, originals), `copies of ${topic} have the positions of the originals`)
    }
  return copy
}

const COLLECTIONS: Readonly<Record<Topic, readonly string[]>> = {
  config: [STREAM_STATES_COLLECTION, ...namesOf(configProjections)],
  payments: [SNAPSHOTS_COLLECTION, ...namesOf(paymentProjections)],
  webhooks: namesOf(webhookProjections),
  costs: namesOf(costProjections),
}

/** The read models that are read, of whichever generation, as if there had never been another one. */
const copiedStore = async (store: ReadStore): Promise<ReadStore> => {
  const copy = createMemoryStore({ collections: domainCollections })
  for (const topic of TOPICS) {
    const read = await pinnedGeneration(store, topic)
    for (const name of COLLECTIONS[topic]) await copy.write((await allDocuments(read, name)).map((one) => ({ collection: name, ...one })))
  }
  return copy
}

const unlikeReplay = async (store: ReadStore, anew: ReadStore): Promise<readonly string[]> => {
  const problems: string[] = []
  for (const { name } of domainCollections.filter((collection) => !NOT_COMPARED.has(collection.name))) {
    const { differing, count } = await differingKeys(store, anew, name)
    if (differing.length > 0) problems.push(`${differing.length} of ${count} documents of ${name} differ from a replay: ${differing[0]}`)
  }
  return problems
}

const windowsUnlikeReplay = (restored: PaymentFold, anew: PaymentFold): readonly string[] => {
  const merchants = [...new Set([...anew.merchantIds(), ...restored.merchantIds()])]
  const differing = merchants.filter((id) => Buffer.compare(restored.exportMerchant(id), anew.exportMerchant(id)) !== 0)
  return differing.length === 0 ? [] : [`windows of ${differing.join(', ')} differ from a replay`]
}

/** How far the read models of a topic are stored, in the generation that is read. */
const storedPositions = async (store: ReadStore, topic: Topic): Promise<Positions | undefined> => {
  const read = await pinnedGeneration(store, topic)
  if (topic === 'config') return await streamPositions(read, domainSlices)
  const names = COLLECTIONS[topic].filter((name) => name !== SNAPSHOTS_COLLECTION)
  return await documentPositions(read, topic, names)
}

const reached = async (log: EventLog, store: ReadStore, topic: Topic): Promise<void> => {
  const ends = await log.endPositions(topic)
  const deadline = Date.now() + LAG_WAIT_MAX_MS
  for (;;) {
    const positions = (await storedPositions(store, topic).catch(() => undefined)) ?? new Map<number, number>()
    const behind = [...ends].filter(([partition, offset]) => offset >= 0 && !includes(positions, { partition, offset }))
    if (behind.length === 0) return
    if (Date.now() > deadline) {
      const told = behind.map(([partition, offset]) => `partition ${partition} at ${positions.get(partition) ?? -1} of ${offset}`)
      throw new Error(`the read models of ${topic} are stuck: ${told.join(', ')}`)
    }
    await new Promise((resolve) => setTimeout(resolve, LAG_LOOK_PAUSE_MS))
  }
}

/** {@link Checker} with handles of its own; nothing that it reads goes through the services. */
export const openChecker = async ({ brokers, topicPrefix, schemaRegistryUrl, mongodbUri, partitionCount }: Places): Promise<Checker> => {
  const ids = await openRegistrySchemaIds({ url: schemaRegistryUrl })
  const codec = createEventCodec(ids, { strict: false })
  const options = { brokers: brokers.split(','), clientId: 'switchyard-checker', topicPrefix, partitionCount, replicationFactor: 1 }
  const log = learningLog(await openKafkaLog(options), ids)
  const store = createMongoStore({ uri: mongodbUri, collections: domainCollections, role: 'reader' })

  const endOf = async (topic: Topic): Promise<readonly (readonly [number, number])[]> =>
    [...(await log.endPositions(topic))].toSorted(([one], [other]) => one - other)
  const ends = async (): Promise<unknown> => await Promise.all(TOPICS.map(endOf))

  const caughtUp = async (): Promise<void> => {
    for (const topic of TOPICS) await reached(log, store, topic)
  }

  /** Copied, because services append something of their own (the use of keys, runs of the self-tuning) while it is judged. */
  const quietMoment = async (): Promise<Moment> => {
    for (let count = 1; count <= COPY_COUNT_MAX; count++) {
      await caughtUp()
      await reportsEnded(await pinnedGeneration(store, 'costs'))
      await caughtUp()
      const before = await ends()
      const moment = { log: await copiedLog(log, partitionCount), store: await copiedStore(store) }
      if (isDeepStrictEqual(before, await ends())) return moment
    }
    throw new Error(`something was appended during each of ${COPY_COUNT_MAX} copies of the log and the read models`)
  }

  return {
    log,
    codec,
    problems: async (acknowledged) => {
      const moment = await quietMoment()
      const anew = await projectAnew(moment.log, codec)
      return [
        ...inTheLog(eventsOf(await allRecords(moment.log), codec), acknowledged),
        ...(await inTheTimelines(moment.store, acknowledged)),
        ...(await inTheCosts(moment.store, acknowledged)),
        ...(await unlikeReplay(moment.store, anew.store)),
        ...windowsUnlikeReplay(await restoredFold(moment, codec), anew.fold),
      ]
    },
    deadLetterCount: async () => (await documentsOf(store, DEAD_LETTERS_COLLECTION)).size,
    close: async () => {
      await store.close()
      await log.close()
    },
  }
}
