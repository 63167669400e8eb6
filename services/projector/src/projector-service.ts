import type { ConfigEvent, CostsEvent, EventCodec, PaymentsEvent } from '@switchyard/events'
import type { EventLog, Now, Position, ReadStore, Topic } from '@switchyard/kernel'
import {
  type ConfigEffects,
  createConfigTopicFold,
  createDocumentTopicFold,
  createGenerationProjector,
  createPaymentTopicFold,
  createProjector,
  decodeCostsEvent,
  type FoldedSlice,
  type FoldOfPayments,
  type GenerationProjector,
  PROJECTOR_LIMITS,
  type ProjectionOf,
  type Projector,
  type ProjectorLimits,
  type ProjectorStatus,
  type RecordedEvent,
  type ShareTopic,
  type SnapshotLimits,
  type Timers,
  type TopicFold,
  type VersionEffects,
} from '@switchyard/runtime'

/** The topics that are projected here; deliveries are projected where they are made, by the webhook dispatcher. */
export type ProjectedTopic = Exclude<Topic, 'webhooks'>

/** Folds the topics into the read store. */
export interface ProjectorService {
  /** Restores the folds and begins to tail; does not wait until they have caught up. */
  readonly start: () => Promise<void>
  /** Ends the tails and stores everything that was folded. */
  readonly stop: () => Promise<void>
  readonly status: () => Promise<readonly ProjectorStatus[]>
  /** Whether everything that stands in the log now is stored. */
  readonly isCaughtUp: () => Promise<boolean>
  /** Waits until everything that stands in the log now is stored. */
  readonly caughtUp: () => Promise<void>
  /** The read models of the topic as they are kept up to date: in the generation that is current. */
  readonly readModels: (topic: ProjectedTopic) => ReadStore
  /** Waits until the documents of the topic include `position`; rejects with `POSITION_NOT_REACHED` after the bound. */
  readonly projectedUpTo: (topic: ProjectedTopic, position: Position) => Promise<void>
}

/** What {@link createProjectorService} needs. */
export interface ProjectorServiceDependencies<Effect> {
  readonly log: EventLog
  /** Opened with the collections of the states, checkpoints and dead letters, and those of the projections. */
  readonly store: ReadStore
  readonly codec: EventCodec
  readonly now: Now
  /** The same list as everybody's who loads the stored states. */
  readonly configSlices: readonly FoldedSlice[]
  readonly configProjections: readonly ProjectionOf<RecordedEvent<ConfigEvent, ConfigEffects>>[]
  /** Empty folds, which belong to the projector alone. */
  readonly createPaymentFold: () => FoldOfPayments<Effect>
  readonly paymentProjections: readonly ProjectionOf<RecordedEvent<PaymentsEvent, readonly Effect[]>>[]
  readonly costProjections: readonly ProjectionOf<RecordedEvent<CostsEvent, VersionEffects>>[]
  /** Other processes project part of each topic; absent: this one projects all of it. */
  readonly share?: ShareTopic
  /** A projector can't go on. */
  readonly onFailure: (error: unknown) => void
  /** How long projecting rests behind some work; see {@link createProjector}. */
  readonly restMs?: () => number
  readonly limits?: ProjectorLimits
  readonly snapshotLimits?: SnapshotLimits
  readonly timers?: Timers
}

/** Options that were given; an absent one keeps its default. */
const given = <Key extends string, Value>(key: Key, value: Value | undefined): Partial<Record<Key, Value>> => {
  const options: Partial<Record<Key, Value>> = {}
  if (value !== undefined) options[key] = value
  return options
}

/** Documents of costs are large, up to a quarter of a megabyte as a text: few of them are made, written and kept at hand at a time. */
const COST_DOCUMENT_COUNT = 4
const COST_LIMITS: ProjectorLimits = {
  ...PROJECTOR_LIMITS,
  sliceCountMax: COST_DOCUMENT_COUNT,
  dirtyCountMax: COST_DOCUMENT_COUNT,
  cachedCountMax: COST_DOCUMENT_COUNT,
}

const costFold = (
  { codec, costProjections }: Pick<ProjectorServiceDependencies<never>, 'codec' | 'costProjections'>,
  store: ReadStore,
): TopicFold<CostsEvent, VersionEffects> =>
  createDocumentTopicFold({
    topic: 'costs',
    store,
    decode: (value) => decodeCostsEvent(codec, value),
    names: costProjections.map(({ name }) => name),
  })

/** A {@link ProjectorService} of one projector a topic. */
export const createProjectorService = <Effect>(dependencies: ProjectorServiceDependencies<Effect>): ProjectorService => {
  const { log, store, codec, now, configSlices, configProjections, createPaymentFold, paymentProjections, costProjections, onFailure } =
    dependencies
  const timers = given('timers', dependencies.timers)
  const options = { ...given('limits', dependencies.limits), ...given('restMs', dependencies.restMs), ...timers }
  const shared = { log, now, onFailure, ...given('share', dependencies.share), ...options }
  const snapshots = given('limits', dependencies.snapshotLimits)
  const newConfig = (own: ReadStore): Projector =>
    createProjector({
      ...shared,
      topic: 'config',
      store: own,
      createFold: () => createConfigTopicFold({ store: own, codec, slices: configSlices }),
      projections: configProjections,
    })
  const newPayments = (own: ReadStore): Projector =>
    createProjector({
      ...shared,
      topic: 'payments',
      store: own,
      createFold: () => createPaymentTopicFold({ store: own, codec, fold: createPaymentFold(), ...snapshots, ...timers }),
      projections: paymentProjections,
    })
  const newCosts = (own: ReadStore): Projector =>
    createProjector({
      ...shared,
      limits: dependencies.limits ?? COST_LIMITS,
      topic: 'costs',
      store: own,
      createFold: () => costFold(dependencies, own),
      projections: costProjections,
    })
  const generations = { store, isShared: dependencies.share !== undefined, onFailure, ...timers }
  const config = createGenerationProjector({ topic: 'config', create: newConfig, ...generations })
  const payments = createGenerationProjector({ topic: 'payments', create: newPayments, ...generations })
  const costs = createGenerationProjector({ topic: 'costs', create: newCosts, ...generations })
  const byTopic: Readonly<Record<ProjectedTopic, GenerationProjector>> = { config, payments, costs }
  const projectors = Object.values(byTopic)

  return {
    start: async () => {
      await Promise.all(projectors.map((projector) => projector.start()))
    },
    stop: async () => {
      const failure = (await Promise.allSettled(projectors.map((projector) => projector.stop()))).find(
        ({ status }) => status === 'rejected',
      )
      if (failure?.status === 'rejected') throw failure.reason
    },
    status: async () => await Promise.all(projectors.map((projector) => projector.status())),
    isCaughtUp: async () => (await Promise.all(projectors.map((projector) => projector.isCaughtUp()))).every((caughtUp) => caughtUp),
    caughtUp: async () => {
      await Promise.all(projectors.map((projector) => projector.caughtUp()))
    },
    readModels: (topic) => byTopic[topic].readModels,
    projectedUpTo: (topic, position) => byTopic[topic].projectedUpTo(position),
  }
}
