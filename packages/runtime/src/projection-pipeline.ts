import {
  BEFORE_FIRST,
  type DocumentWrite,
  type LogRecord,
  type Now,
  type Position,
  type Positions,
  type ReadStore,
  type Topic,
} from '@switchyard/kernel'
import { deadLetterOf } from './dead-letters.ts'
import { isPoison } from './decode-event.ts'
import { createDocumentCache, type DocumentCache, type ProjectionOf } from './document-cache.ts'
import { createDocumentCheckpoints } from './document-checkpoints.ts'
import { type ProjectorLimits } from './limits.ts'
import type { Progress } from './progress.ts'
import { createStoreAccess, type StoreAccess } from './store-access.ts'
import type { Timers } from './timers.ts'
import type { RecordedEvent, TopicFold } from './topic-fold.ts'

/**
 * Record -> event -> fold -> documents -> store. Calls must not overlap, but for {@link ProjectionPipeline.flush} when
 * {@link ProjectionPipeline.flushesBeside}; after a rejection there is no further call.
 */
export interface ProjectionPipeline {
  /**
   * Loads the fold of the partitions wanted; the log is read from behind these positions. From its beginning when the projections
   * are others than those whose documents are stored.
   */
  readonly restore: (isWanted?: (partition: number) => boolean) => Promise<Positions>
  /** Folds records of one partition, in order; flushes when many documents have changed. */
  readonly process: (records: readonly LogRecord[]) => Promise<void>
  /**
   * Stores documents and dead letters first, then how far they reach, then the fold with its positions: a crash in between
   * repeats, never skips.
   */
  readonly flush: (when: 'if-due' | 'now') => Promise<void>
  readonly isFlushed: () => boolean
  /** Records may be processed while a flush is under way; it stores what was processed before it began. */
  readonly flushesBeside: boolean
  /** A document as of what was processed, whether or not it is stored yet. */
  readonly view: DocumentCache<object>['view']
  /** The same at once, when the document is at hand; may be called at any time. */
  readonly viewAtHand: DocumentCache<object>['viewAtHand']
  readonly report: () => PipelineReport
}

/** For status and metrics. */
interface PipelineReport {
  /** Epoch milliseconds; null before the first. */
  readonly lastFlushedAt: number | null
  readonly deadLetterCount: number
  /** Why the store does not answer at the moment. */
  readonly storeFailure: unknown
}

/** What a {@link ProjectionPipeline} needs. */
export interface PipelineDependencies<Event, Effects> {
  readonly topic: Topic
  readonly store: ReadStore
  readonly fold: TopicFold<Event, Effects>
  readonly projections: readonly ProjectionOf<RecordedEvent<Event, Effects>>[]
  readonly limits: ProjectorLimits
  readonly timers: Timers
  readonly now: Now
  /** Hears of everything that was flushed. */
  readonly progress: Progress
  /** Hears of everything that was processed, before it is stored. */
  readonly processed: Progress
  /** Gets what was applied to the documents, in order. */
  readonly onProjected?: (inputs: readonly RecordedEvent<Event, Effects>[]) => void
  /** Ends the attempts to reach the store. */
  readonly signal: AbortSignal
}

type Input<Event, Effects> = RecordedEvent<Event, Effects>

/** What a record says and does, for the documents: nothing when it had no effect, or can't be read. */
const inputOf = <Event, Effects>(
  { fold, topic }: Pick<PipelineDependencies<Event, Effects>, 'fold' | 'topic'>,
  record: LogRecord,
  onPoison: (deadLetter: DocumentWrite) => void,
): readonly Input<Event, Effects>[] => {
  try {
    const event = fold.decode(record.value)
    const effects = fold.apply(record, event)
    const { id: eventId, actor = null, correlation: requestId = null } = record.headers
    return effects === undefined ? [] : [{ event, effects, position: record.position, eventId, actor, requestId, trace: record.headers }]
  } catch (error) {
    if (!isPoison(error)) throw error
    onPoison(deadLetterOf(topic, record, error))
    return []
  }
}

/** What an input ends is gone before anything behind it is loaded. */
const projectAll = async <Input extends { readonly position: Position }>(
  inputs: readonly Input[],
  documents: DocumentCache<Input>,
  access: StoreAccess,
  storeDocuments: () => Promise<void>,
): Promise<void> => {
  const end = inputs.findIndex(documents.ends)
  const before = end < 0 ? inputs : inputs.slice(0, end)
  do await access.reach(() => documents.load(before))
  while (!documents.isLoaded())
  for (const input of before) documents.project(input)
  const ending = inputs[end]
  if (ending === undefined) return
  await storeDocuments()
  await access.reach(() => documents.remove(ending))
  await projectAll(inputs.slice(end + 1), documents, access, storeDocuments)
}

const advanceTo = (progress: Progress, positions: Positions): void => {
  for (const [partition, offset] of positions) progress.advance(partition, offset)
}

/** Dead letters that wait to be stored. */
const createPendingLetters = (access: StoreAccess) => {
  let waiting: DocumentWrite[] = []
  let storedCount = 0
  return {
    add: (letter: DocumentWrite): void => void waiting.push(letter),
    waitingCount: (): number => waiting.length,
    /** Those that were written for the first time. */
    storedCount: (): number => storedCount,
    store: async (): Promise<void> => {
      const letters = waiting
      waiting = []
      await access.write(letters, (_batch, outcomes) => {
        storedCount += outcomes.filter((outcome) => outcome === 'applied').length
      })
    },
  }
}

/** Runs tasks one after another, also after one has failed. */
const createSequence = (): ((task: () => Promise<void>) => Promise<void>) => {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const mine = last.then(task)
    last = mine.catch(() => {})
    return mine
  }
}

/** A {@link ProjectionPipeline} that waits for the store as long as it takes, and skips nothing. */
export const createProjectionPipeline = <Event, Effects>(dependencies: PipelineDependencies<Event, Effects>): ProjectionPipeline => {
  const { topic, store, fold, projections, limits, timers, now, progress, processed, signal } = dependencies
  const documents = createDocumentCache<Input<Event, Effects>>({ store, projections, cachedCountMax: limits.cachedCountMax })
  const checkpoints = createDocumentCheckpoints(
    store,
    topic,
    projections.map(({ name }) => name),
  )
  /** Up to here the documents were stored before the start. */
  let documented: Positions = new Map()
  let lastFlushedAt: number | null = null
  const access = createStoreAccess(store, timers, signal)
  const deadLetters = createPendingLetters(access)
  /** Slices processed, and of these flushed. */
  let processedCount = 0
  let flushedCount = 0
  /** What was taken is settled before more is taken. */
  const afterStoring = createSequence()
  const storeDocuments = (): Promise<void> => access.write(documents.takeWrites(), documents.settle)

  const flushNow = async (when: 'if-due' | 'now'): Promise<void> => {
    const positions = new Map(processed.positions())
    const count = processedCount
    await storeDocuments()
    await deadLetters.store()
    await access.write(checkpoints.writesOf(positions), () => {})
    await access.reach(async () => await fold.persist?.(positions, when))
    advanceTo(progress, positions)
    lastFlushedAt = now()
    flushedCount = count
  }
  const flush = (when: 'if-due' | 'now'): Promise<void> => afterStoring(() => flushNow(when))

  const processSlice = async (records: readonly LogRecord[]): Promise<void> => {
    const inputs = records
      .flatMap((record) => inputOf(dependencies, record, deadLetters.add))
      .filter(({ position }) => position.offset > (documented.get(position.partition) ?? BEFORE_FIRST))
    await projectAll(inputs, documents, access, () => afterStoring(storeDocuments))
    const last = records.at(-1)?.position
    if (last !== undefined) processed.advance(last.partition, last.offset)
    dependencies.onProjected?.(inputs)
    processedCount += 1
    if (documents.dirtyCount() + deadLetters.waitingCount() >= limits.dirtyCountMax) await flush('if-due')
    documents.evict()
  }

  return {
    restore: async (isWanted = () => true) => {
      documented = await access.reach(checkpoints.restore)
      const isDocumented = (partition: number): boolean => projections.length === 0 || documented.has(partition)
      const stored = await access.reach(() => fold.restore((partition) => isWanted(partition) && isDocumented(partition)))
      for (const known of [processed, progress]) advanceTo(known, stored)
      return stored
    },
    process: async (records) => {
      for (let i = 0; i < records.length; i += limits.sliceCountMax) await processSlice(records.slice(i, i + limits.sliceCountMax))
    },
    flush,
    isFlushed: () => flushedCount === processedCount,
    flushesBeside: fold.persist === undefined,
    view: (projection, key) => access.reach(() => documents.view(projection, key)),
    viewAtHand: documents.viewAtHand,
    report: () => ({ lastFlushedAt, deadLetterCount: deadLetters.storedCount(), storeFailure: access.failure() }),
  }
}
